import { json } from "../../kernel/json.ts"
import { JsonResponse } from "../../kernel/json-response.ts"
import { basePath } from "../../kernel/path.ts"
import type { Operation } from "../context.ts"
import type { accounts } from "./contract.ts"

export const createAccount: Operation<typeof accounts.createAccount> = async (ctx, { body: { name, plan } }) => {
  const account = await ctx.store.transaction(async (tx) => {
    const added = await tx.accounts.add({ name, plan })
    ctx.audit("account.created", `account:${added.id}`, { details: { plan } })
    return added
  })
  return new JsonResponse(json(account), { headers: { location: `${basePath}/accounts/${account.id}` } })
}

import { created } from "../../kernel/endpoint/json-response.ts"
import type { Verb } from "../context.ts"

export const createAccount: Verb<"createAccount"> = async (ctx, { body: { name, plan } }) => {
  const account = await ctx.store.transaction(async (tx) => {
    const added = await tx.accounts.add({ name, plan })
    ctx.audit("account.created", `account:${added.id}`, { details: { plan } })
    return added
  })
  return created(account, `/accounts/${account.id}`)
}

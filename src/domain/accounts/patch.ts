import type { Operation } from "../context.ts"
import type { accounts } from "./contract.ts"
import { standingsOf } from "./standings.ts"

export const patchAccount: Operation<typeof accounts.patchAccount> = async (ctx, { params: { id }, body }) => {
  const { name, plan } = body
  const account = await ctx.store.transaction(async (tx) => {
    const changes = { ...(name !== undefined && { name }), ...(plan !== undefined && { plan }) }
    ctx.credentialsChanged(id)
    ctx.audit("account.changed", `account:${id}`, { details: { ...(plan !== undefined && { plan }) } })
    return (await tx.accounts.change(id, changes)) ?? ctx.refuse("account-not-found", "Account not found")
  })
  return { ...account, limits: await standingsOf(ctx, account) }
}

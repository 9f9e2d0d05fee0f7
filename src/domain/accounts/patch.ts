import type { Operation } from "../context.ts"
import type { accounts } from "./contract.ts"

export const patchAccount: Operation<typeof accounts.patchAccount> = (ctx, { params: { id }, body: { name, plan } }) =>
  ctx.store.transaction(async (tx) => {
    const changes = { ...(name !== undefined && { name }), ...(plan !== undefined && { plan }) }
    ctx.credentialsChanged(id)
    return (await tx.accounts.change(id, changes)) ?? ctx.refuse("account-not-found", "Account not found")
  })

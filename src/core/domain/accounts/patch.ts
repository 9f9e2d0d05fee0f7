import type { Context, Verb } from "../context.ts"
import { checkPrivate } from "../keys/rules.ts"
import type { Repositories } from "../ports/store.ts"
import type { Account, accounts } from "./contract.ts"
import { readLimitUsage } from "./limit-usage.ts"

export const patchAccount: Verb<"patchAccount"> = async (ctx, { params: { id }, body }) => {
  const { name, plan } = body
  const account = await ctx.store.transaction(async (tx) => {
    if (plan !== undefined) await requireFreePlan(ctx, tx, { id, plan })
    const changes = { ...(name !== undefined && { name }), ...(plan !== undefined && { plan }) }
    ctx.credentialsChanged(id)
    ctx.audit("account.changed", `account:${id}`, { details: { ...(plan !== undefined && { plan }) } })
    return (await tx.accounts.change(id, changes)) ?? ctx.refuse("account-not-found")
  })
  return { ...account, limits: await readLimitUsage(ctx, account) }
}

/** Refuses to change the plan of an account that has a well-known key. */
async function requireFreePlan(
  { knownKeys, accept }: Pick<Context<typeof accounts.patchAccount>, "knownKeys" | "accept">,
  tx: Repositories,
  wanted: Pick<Account, "id" | "plan">,
): Promise<void> {
  for (const hash of knownKeys) {
    const known = await tx.keys.byHash(hash)
    if (known?.account.id === wanted.id && known.account.plan !== wanted.plan)
      accept(checkPrivate(known.key, knownKeys))
  }
}

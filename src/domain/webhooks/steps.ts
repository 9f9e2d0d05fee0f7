import { at } from "../../kernel/problem.ts"
import type { Context, Refuse } from "../context.ts"
import type { Repositories } from "../ports.ts"
import type { StoredWebhook } from "./contract.ts"

type Finding = Pick<Context, "caller"> & { refuse: Refuse<"webhook-not-found"> }

/** The caller's webhook; somebody else's is refused exactly as one that is not there. */
export const requireWebhook = async (
  ctx: Finding,
  store: Pick<Repositories, "webhooks">,
  id: number,
): Promise<StoredWebhook> =>
  (await store.webhooks.read(id, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found", "Webhook not found")

/** Like `found`, held until the transaction ends. */
export const lockWebhook = async (ctx: Finding, tx: Repositories, id: number): Promise<StoredWebhook> =>
  (await tx.webhooks.lock(id, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found", "Webhook not found")

/** Refuses a URL nothing may be sent to. Asks DNS: not inside a transaction. */
export async function requireTarget(
  ctx: Pick<Context, "targets"> & { refuse: Refuse<"invalid-body"> },
  url: string,
): Promise<void> {
  const refusal = await ctx.targets.refusalOf(url)
  if (refusal !== undefined) ctx.refuse("invalid-body", at("/url", "refused-address", refusal))
}

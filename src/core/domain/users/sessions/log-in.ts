import { timestamp } from "../../../kernel/clock.ts"
import { JsonResponse } from "../../../kernel/endpoint/json-response.ts"
import { json } from "../../../kernel/json/json.ts"
import type { Account } from "../../accounts/contract.ts"
import { actorOf } from "../../audit/rules.ts"
import type { Context, Verb } from "../../context.ts"
import { mintSecret } from "../../keys/secret.ts"
import type { sessions } from "./contract.ts"
import { signIn, wrongPair } from "./sign-in.ts"

const sessionsMax = 20
const unlimited = 2 ** 31 - 1

export const logIn: Verb<"logIn"> = (ctx, { body }) => beginSession(ctx, body)

export const loginUser: Verb<"loginUser"> = (ctx, { query }) => beginSession(ctx, query)

/** Both log-in operations; they differ only in how username and password are sent. */
type Beginning = Context<typeof sessions.logIn>

async function beginSession(ctx: Beginning, pair: { username: string; password: string }) {
  const { passwordHash } = ctx.accept(await signIn(ctx, pair, actorOf(undefined, ctx)))
  const token = mintSecret(ctx.random, "pss_")
  const expiresAt = ctx.clock.now() + ctx.policy.sessionMs

  const account = await ctx.store.transaction(async (tx) => {
    const found = await tx.users.lock(pair.username)
    if (found?.passwordHash !== passwordHash) return ctx.accept(wrongPair)
    const session = { userId: found.user.id, hash: ctx.sha256(token), expiresAt }
    const { id, ended } = await tx.sessions.add(session, sessionsMax)
    if (ended > 0) ctx.credentialsChanged(found.accountId)
    const by = { principal: `user:${found.user.id}`, account: found.accountId } as const
    ctx.audit("session.created", `session:${id}`, { by, details: { ...(ended > 0 && { ended }) } })
    return (await tx.accounts.read(found.accountId)) as Account
  })
  return new JsonResponse(json(token), {
    headers: {
      "X-Rate-Limit": String(ctx.plans[account.plan]?.minute ?? unlimited),
      "X-Expires-After": timestamp(expiresAt),
    },
  })
}

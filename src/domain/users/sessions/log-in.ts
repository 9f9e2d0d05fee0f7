import { timestamp } from "../../../kernel/clock.ts"
import { json } from "../../../kernel/json.ts"
import { JsonResponse } from "../../../kernel/json-response.ts"
import type { Account } from "../../accounts/contract.ts"
import type { Context, Operation } from "../../context.ts"
import { mintSecret } from "../../keys/secret.ts"
import type { sessions } from "./contract.ts"
import { signIn, wrongPair } from "./sign-in.ts"

const sessionMs = 12 * 60 * 60 * 1000
const sessionsMax = 20
const unlimited = 2 ** 31 - 1

export const logIn: Operation<typeof sessions.logIn> = (ctx, { body }) => beginSession(ctx, body)

export const loginUser: Operation<typeof sessions.loginUser> = (ctx, { query }) => beginSession(ctx, query)

type Beginning = Pick<
  Context<typeof sessions.logIn>,
  | "store"
  | "passwords"
  | "attempts"
  | "address"
  | "clock"
  | "plans"
  | "random"
  | "sha256"
  | "credentialsChanged"
  | "accept"
>

async function beginSession(ctx: Beginning, pair: { username: string; password: string }) {
  const { passwordHash } = ctx.accept(await signIn(ctx, { ...pair, address: ctx.address }))
  const token = mintSecret(ctx.random, "pss_")
  const expiresAt = ctx.clock.now() + sessionMs

  const account = await ctx.store.transaction(async (tx) => {
    const found = await tx.users.lock(pair.username)
    if (found?.passwordHash !== passwordHash) return ctx.accept(wrongPair)
    const session = { userId: found.user.id, hash: ctx.sha256(token), expiresAt }
    if (await tx.sessions.add(session, sessionsMax)) ctx.credentialsChanged(found.accountId)
    return (await tx.accounts.read(found.accountId)) as Account
  })
  return new JsonResponse(json(token), {
    headers: {
      "X-Rate-Limit": String(ctx.plans[account.plan]?.minute ?? unlimited),
      "X-Expires-After": timestamp(expiresAt),
    },
  })
}

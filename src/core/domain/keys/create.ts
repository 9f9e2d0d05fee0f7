import { created } from "../../kernel/endpoint/json-response.ts"
import { at, invalidBody } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import { beyondRole, roleOfOwner } from "./owner-scopes.ts"
import { checkKeyLimit, grantScopes, keyViolations, limitsOfKey, showNewKey } from "./rules.ts"
import { mintSecret } from "./secret.ts"

export const createKey: Verb<"createKey"> = async (ctx, { body }) => {
  const { caller, clock } = ctx
  const { name, accountId = caller.account.id } = body
  ctx.accept(invalidBody(keyViolations(body, caller.bounds, clock.now())))
  const scopes = ctx.accept(grantScopes(body.scopes, caller.scopes))
  if (accountId !== caller.account.id && !caller.scopes.has("admin"))
    ctx.refuse("forbidden", "Creating a key for another account requires the scope admin")

  const secret = mintSecret(ctx.random)
  const hash = ctx.sha256(secret)
  const key = { accountId, name, scopes, hash, createdAt: clock.now(), ...limitsOfKey(body, caller.bounds) }
  const id = await ctx.store.transaction(async (tx) => {
    if (!(await tx.accounts.read(accountId)))
      ctx.refuse("invalid-body", at("/accountId", "unknown", "is not the id of an account"))
    const role = await roleOfOwner(tx, { accountId, userId: caller.bounds.userId })
    ctx.accept(invalidBody(beyondRole(scopes, role)))
    ctx.accept(checkKeyLimit(await tx.keys.count(accountId)))
    const id = await tx.keys.add(key)
    ctx.audit("key.created", `key:${id}`, { details: { account: accountId, scopes: scopes.join(" ") } })
    return id
  })
  return created(showNewKey(id, key, secret), `/keys/${id}`)
}

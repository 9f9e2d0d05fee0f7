import { created } from "../../kernel/endpoint/json-response.ts"
import type { Verb } from "../context.ts"
import { checkHoldable, roleOfOwner } from "./owner-scopes.ts"
import { checkKeyLimit, checkPrivate, grantScopes, requireKey, rotate, showNewKey } from "./rules.ts"
import { mintSecret } from "./secret.ts"

export const rotateKey: Verb<"rotateKey"> = async (ctx, { params, query }) => {
  const secret = mintSecret(ctx.random)
  const hash = ctx.sha256(secret)
  return ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireKey(await tx.keys.lock(params.id), ctx.caller))
    const now = ctx.clock.now()
    const { endsAt, successor } = ctx.accept(rotate(found, now, query.overlapSeconds, ctx.caller.bounds))
    ctx.accept(grantScopes(found.scopes, ctx.caller.scopes))
    ctx.accept(checkHoldable(found.scopes, await roleOfOwner(tx, successor)))
    ctx.accept(checkPrivate(found, ctx.knownKeys))
    ctx.accept(checkKeyLimit(await tx.keys.count(found.accountId)))

    await tx.keys.rotate(found.id, now, endsAt)
    const id = await tx.keys.add({ ...successor, hash })
    ctx.credentialsChanged(found.accountId)
    ctx.audit("key.rotated", `key:${found.id}`, { details: { successor: `key:${id}` } })
    return created(showNewKey(id, { ...successor, hash }, secret), `/keys/${id}`)
  })
}

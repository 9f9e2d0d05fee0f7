import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import { locked, recorded } from "./steps.ts"

export const replacePet: Operation<typeof pets.replacePet> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const found = await locked(ctx, tx, body.id)

    return recorded(ctx, tx, found, body)
  })

import type { Verb } from "../context.ts"
import { patchOne } from "./patch-one.ts"

export const patchPet: Verb<"patchPet"> = (ctx, { params, body }) =>
  ctx.store.transaction((tx) => patchOne(ctx, tx, params.petId, body))

import { andThen } from "../../kernel/flow/awaitable.ts"
import type { Verb } from "../context.ts"
import { petResponse } from "./pet-response.ts"

export const getPetById: Verb<"getPetById"> = (ctx, { params }) =>
  andThen(ctx, ctx.store.pets.read(params.petId), ({ refuse }, found) => petResponse(found ?? refuse("pet-not-found")))

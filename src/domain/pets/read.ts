import { andThen } from "../../kernel/flow/awaitable.ts"
import type { Operation } from "../context.ts"
import { petResponse } from "./pet-response.ts"

export const getPetById: Operation<"getPetById"> = (ctx, { params }) =>
  andThen(ctx, ctx.store.pets.read(params.petId), (asked, found) => petResponse(found ?? asked.refuse("pet-not-found")))

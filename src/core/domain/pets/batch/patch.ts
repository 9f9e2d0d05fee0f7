import type { Verb } from "../../context.ts"
import { patchOne } from "../patch-one.ts"
import type { PetChange } from "./contract.ts"
import { runLines } from "./run-lines.ts"

export const patchPets: Verb<"patchPets"> = (ctx, { body }) =>
  runLines(ctx, body, {
    within: "/patch",
    async run(line, tx, { id, patch }: PetChange) {
      const { etag } = await patchOne(line, tx, id, patch)
      return { id, ...(etag !== undefined && { etag }) }
    },
  })

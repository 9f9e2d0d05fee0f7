import type { Verb } from "../../context.ts"
import { removeOne } from "../remove-one.ts"
import type { PetDeletion } from "./contract.ts"
import { runLines } from "./run-lines.ts"

export const deletePets: Verb<"deletePets"> = (ctx, { body }) =>
  runLines(ctx, body, {
    async run(line, tx, { id }: PetDeletion) {
      await removeOne(line, tx, id)
      return { id }
    },
  })

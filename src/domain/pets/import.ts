import { takeTurns } from "../../kernel/flow/turns.ts"
import { Problem } from "../../kernel/problem.ts"
import type { ContextPart, Verb } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import { addDraft, takenId } from "./add.ts"
import type { PetDraft, PetResult } from "./contract.ts"

export const importPets: Verb<"importPets"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const turns = takeTurns()
    const results: PetResult[] = []
    for (const draft of body) {
      // On SQLite nothing waits, and other requests would.
      if (turns.isOver()) await turns.next()
      results.push(draft instanceof Problem ? refused(draft) : await addOne(ctx, tx, draft))
    }
    return results
  })

/** A refused pet writes nothing: the id is looked up before categories and tags are added. */
async function addOne(ctx: ContextPart<"clock">, tx: Repositories, draft: PetDraft): Promise<PetResult> {
  const isTaken = draft.id ? (await tx.pets.read(draft.id)) !== undefined : false
  const added = isTaken ? undefined : await addDraft(ctx, tx, draft)
  return added ? { id: added.id } : { problem: { code: "pet-exists", detail: takenId(draft.id) } }
}

const refused = ({ code, detail, violations }: Problem): PetResult => ({
  problem: { code, detail, ...(violations.length > 0 && { errors: violations as Errors }) },
})

type Errors = NonNullable<NonNullable<PetResult["problem"]>["errors"]>

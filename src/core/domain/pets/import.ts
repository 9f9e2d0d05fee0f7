import { Problem, problem } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import { addPets, takenId } from "./add.ts"
import { refusal } from "./batch/refusal.ts"
import type { PetDraft } from "./contract.ts"
import type { PetResult } from "./import/contract.ts"

export const importPets: Verb<"importPets"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const at = ctx.clock.now()
    const pets = body.filter(isDraft).map((draft) => ({ draft, at }))
    const added = (await addPets(tx, pets)).values()
    return body.map((item) => (isDraft(item) ? resultOf(item, added.next().value?.pet.id) : refusal(item)))
  })

const resultOf = (draft: PetDraft, id: number | undefined): PetResult =>
  id === undefined ? refusal(problem("pet-exists", takenId(draft.id))) : { id }

const isDraft = (item: PetDraft | Problem): item is PetDraft => !(item instanceof Problem)

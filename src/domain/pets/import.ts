import { inGroups } from "../../kernel/flow/in-groups.ts"
import { together } from "../../kernel/flow/together.ts"
import { createYielder, type Yielder } from "../../kernel/flow/yielder.ts"
import { Problem, problem } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import { addDraft, announceAdded, takenId } from "./add.ts"
import { refusal } from "./batch/refusal.ts"
import type { PetDraft } from "./contract.ts"
import type { PetResult } from "./import/contract.ts"
import { type LabelIds, labelsOf } from "./rules.ts"
import type { StatusCounts } from "./store.ts"

type Item = PetDraft | Problem

export const importPets: Verb<"importPets"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    // On SQLite nothing waits, and other requests would: long work is divided.
    const turns = createYielder()
    const items = await refuseTakenIds(tx, body, turns)
    const labels = await allLabelIds(tx, items.filter(isDraft), turns)
    const uncounted: StatusCounts = new Map()
    const at = ctx.clock.now()
    const results: PetResult[] = []
    for await (const some of inGroups(items, petsMax)) {
      if (turns.isOver()) await turns.next()
      const added = await together(
        some.map((item) => () => (isDraft(item) ? addDraft(tx, { draft: item, labels, at }, uncounted) : undefined)),
      )
      // Only now, so that events have the order of the pets.
      await together(added.map((one) => () => one && announceAdded(tx, one)))
      results.push(...some.map((item, n) => resultOf(item, added[n]?.pet.id)))
    }
    await tx.pets.count(uncounted)
    return results
  })

/** Pets added side by side: on PostgreSQL their statements are sent together, on SQLite they share a slice of the event loop. */
const petsMax = 25

const resultOf = (item: Item, id: number | undefined): PetResult =>
  id === undefined ? refusal(isDraft(item) ? taken(item) : item) : { id }

/** Before categories and tags are added: a refused pet changes nothing. */
async function refuseTakenIds(tx: Repositories, items: readonly Item[], turns: Yielder): Promise<Item[]> {
  const ids = new Set<number>()
  const judged: Item[] = []
  for (const item of items) {
    if (turns.isOver()) await turns.next()
    const id = isDraft(item) ? item.id : undefined
    const isTaken = id ? ids.has(id) || (await tx.pets.read(id)) !== undefined : false
    judged.push(isTaken && isDraft(item) ? taken(item) : item)
    if (id) ids.add(id)
  }
  return judged
}

/** Names looked up or added in one slice of the event loop, of about a millisecond. */
const namesMax = 25

/** The ids of all names, in one order everywhere: concurrent batches on PostgreSQL would otherwise block each other. */
async function allLabelIds(tx: Repositories, drafts: readonly PetDraft[], turns: Yielder): Promise<LabelIds> {
  const labels = drafts.map(labelsOf)
  const idsOf = async (names: readonly string[], find: (some: string[]) => Promise<Map<string, number>>) => {
    const ids = new Map<string, number>()
    for await (const some of inGroups([...new Set(names)].sort(), namesMax)) {
      if (turns.isOver()) await turns.next()
      for (const [name, id] of await find(some)) ids.set(name, id)
    }
    return ids
  }
  return {
    categories: await idsOf(
      labels.flatMap(({ categories }) => categories),
      tx.pets.categoryIds,
    ),
    tags: await idsOf(
      labels.flatMap(({ tags }) => tags),
      tx.pets.tagIds,
    ),
  }
}

const isDraft = (item: Item): item is PetDraft => !(item instanceof Problem)

const taken = ({ id }: PetDraft) => problem("pet-exists", takenId(id))

import { inGroups } from "../../kernel/flow/in-groups.ts"
import { together } from "../../kernel/flow/together.ts"
import { createYielder, type Yielder } from "../../kernel/flow/yielder.ts"
import type { NewEvent } from "../events/store.ts"
import type { Repositories } from "../ports/store.ts"
import type { Pet, PetDraft } from "./contract.ts"
import { composePet, type LabelIds, labelsOf, petEventData } from "./rules.ts"
import type { StatusCounts, StoredPet } from "./store.ts"

/** A pet to add at this time (ms). */
export type PetToAdd = { draft: PetDraft; at: number }
type AddedPet = { pet: Pet; stored: StoredPet }

/** Pets added at a time, in one slice of the event loop where the database does not wait. */
const petsAtOnce = 50
const attemptsMax = 20

/**
 * Adds pets with their labels and events, all at the time of the last; undefined, without a change, for one whose id is taken, also
 * by an earlier one.
 */
export const addPets = (tx: Repositories, pets: readonly PetToAdd[]): Promise<(AddedPet | undefined)[]> =>
  addAll(tx, pets, (events) => tx.events.addAll(events))

/** The same without events. */
export const addPetsQuietly = (tx: Repositories, pets: readonly PetToAdd[]): Promise<(AddedPet | undefined)[]> =>
  addAll(tx, pets, async () => {})

type Adding = {
  turns: Yielder
  added: Map<PetToAdd, AddedPet>
  addEvents(events: readonly NewEvent[]): Promise<unknown>
}

async function addAll(
  tx: Repositories,
  pets: readonly PetToAdd[],
  addEvents: Adding["addEvents"],
): Promise<(AddedPet | undefined)[]> {
  const turns = createYielder()
  const taken = await takenAmong(tx, pets, turns)
  const added: Adding["added"] = new Map()
  let rest = pets.filter((pet) => !taken.has(pet))
  // Again under the next ids, when a client has just taken generated ones.
  for (let n = 0; rest.length > 0 && n < attemptsMax; n++) {
    await addFree(tx, rest, { turns, added, addEvents })
    rest = rest.filter((pet) => !pet.draft.id && !added.has(pet))
  }
  return pets.map((pet) => added.get(pet))
}

export const takenId = (id: number | undefined): string => `A pet with the id ${id} already exists`

/** Checked before categories and tags are added: a refused pet changes nothing. */
async function takenAmong(tx: Repositories, pets: readonly PetToAdd[], turns: Yielder): Promise<Set<PetToAdd>> {
  const ids = new Set<number>()
  const taken = new Set<PetToAdd>()
  const chosen = pets.filter(({ draft }) => draft.id)
  for await (const some of inGroups(chosen, petsAtOnce)) {
    if (turns.isOver()) await turns.next()
    const found = await tx.pets.times(some.map(({ draft }) => draft.id as number))
    for (const pet of some) {
      const id = pet.draft.id as number
      if (found.has(id) || ids.has(id)) taken.add(pet)
      ids.add(id)
    }
  }
  return taken
}

async function addFree(
  tx: Repositories,
  pets: readonly PetToAdd[],
  { turns, added, addEvents }: Adding,
): Promise<void> {
  const [labels, ids] = await together([() => addLabels(tx, pets, turns), () => idsFor(tx, pets)])
  const at = Math.max(...pets.map((pet) => pet.at))
  const uncounted: StatusCounts | undefined = pets.length > petsAtOnce ? new Map() : undefined
  for await (const some of inGroups(pets, petsAtOnce)) {
    if (turns.isOver()) await turns.next()
    const composed = some.map((pet) => toPet(pet, ids.get(pet) as number, labels))
    const stored = await tx.pets.add(composed, at, uncounted)
    const events = some.flatMap((wanted, n) => {
      const [pet, kept] = [composed[n] as Pet, stored[n]]
      if (kept === undefined) return []
      added.set(wanted, { pet, stored: kept })
      return [{ kind: "pet.created" as const, data: petEventData(pet), at }]
    })
    if (events.length > 0) await addEvents(events)
  }
  if (uncounted) await tx.pets.count(uncounted)
}

const toPet = ({ draft }: PetToAdd, id: number, labels: LabelIds): Pet =>
  composePet(draft, id, draft.status ?? "available", labels)

/** The ids of all names, in one order everywhere: concurrent transactions on PostgreSQL would otherwise block each other. */
async function addLabels(tx: Repositories, pets: readonly PetToAdd[], turns: Yielder): Promise<LabelIds> {
  const labels = pets.map(({ draft }) => labelsOf(draft))
  const idsOf = async (names: readonly string[], find: (some: string[]) => Promise<Map<string, number>>) => {
    const ids = new Map<string, number>()
    for await (const some of inGroups([...new Set(names)].sort(), petsAtOnce)) {
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

/** The chosen ids, and generated ones for the other pets. */
async function idsFor(tx: Repositories, pets: readonly PetToAdd[]): Promise<Map<PetToAdd, number>> {
  const count = pets.filter(({ draft }) => !draft.id).length
  const generated = (count > 0 ? await tx.pets.nextIds(count) : []).values()
  return new Map(pets.map((pet) => [pet, pet.draft.id || (generated.next().value as number)]))
}

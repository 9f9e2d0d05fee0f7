import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import type { PageText } from "../../kernel/endpoint/page.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { fromJson, type Json, json } from "../../kernel/json/json.ts"
import { listAs } from "../../kernel/json/kept-text.ts"
import type { AnyOperation, ContextPart } from "../context.ts"
import { joinTransaction } from "../join-transaction.ts"
import type { Pet } from "./contract.ts"
import type { SentIds } from "./store.ts"

/** Creates or replaces a pet, keeps the ids that the client sent inside its category and tags, and responds with them. */
export const keepSentIds =
  (save: AnyOperation): AnyOperation =>
  ({ store, ...context }, input) =>
    store.transaction(async (tx) => {
      const saved = (await save({ ...context, store: joinTransaction(tx) }, input)) as JsonResponse<Pet>
      const pet = fromJson(saved.json)
      const sent = idsIn(input.body as SentPet)
      await tx.pets.keepSentIds(pet.id, sent)
      return respondWith(saved, pet, sent)
    })

/** Reads a pet, with the ids that a client of v2 sent with it. */
export const showSentIds =
  (read: AnyOperation): AnyOperation =>
  (context, input) => {
    const { petId } = input.params as { petId: number }
    return andThen(context, read(context, input), ({ store }, found) =>
      andThen(found as JsonResponse<Pet>, store.pets.sentIds([petId]), (found, sent) =>
        respondWith(found, fromJson(found.json), sent.get(petId)),
      ),
    )
  }

/** The same for a list. */
export const listSentIds =
  (list: AnyOperation): AnyOperation =>
  (context, input) =>
    andThen(context, list(context, input), (context, found) => pageWithSentIds(context, found as PageText<Pet[]>))

/** A page of pets with the ids that clients of v2 sent with them. */
export function pageWithSentIds({ store }: ContextPart<"store">, page: PageText<Pet[]>): Awaitable<PageText<Pet[]>> {
  const list = listAs<Pet, Pet>(page, withSentIds, (pets) =>
    andThen(pets, store.pets.sentIds(pets.map(({ id }) => id)), (pets, sent) =>
      pets.map((pet) => (sent.has(pet.id) ? json(withIds(pet, sent.get(pet.id))) : undefined)),
    ),
  )
  return andThen(page, list, (page, list) => ({ ...page, ...list }))
}

const withSentIds = Symbol("with sent ids")

/** The labels of a pet in a request of v2. */
type SentPet = { category?: SentLabel; tags?: SentLabel[] }
type SentLabel = { id?: number; name: string }
type Label = { id: number; name: string }

const idsIn = ({ category, tags = [] }: SentPet): SentIds => ({
  ...(hasId(category) && { category: toLabel(category) }),
  tags: tags.filter(hasId).map(toLabel),
})

const hasId = (label: SentLabel | undefined): label is Label => label?.id !== undefined

const toLabel = ({ id, name }: Label): Label => ({ id, name })

/** The entity tag identifies the text without the sent ids, so a text with them has none. */
function respondWith(stored: JsonResponse<Pet>, pet: Pet, sent: SentIds | undefined): JsonResponse<Pet> {
  const text: Json<Pet> = json(withIds(pet, sent))
  return text === stored.json ? stored : new JsonResponse(text)
}

/** A label that the pet got later has the id that v3 shows. */
function withIds(pet: Pet, sent: SentIds | undefined): Pet {
  if (!sent) return pet
  const { category, tags } = pet
  return {
    ...pet,
    ...(category && { category: withId(category, sent.category ? [sent.category] : []) }),
    tags: tags.map((tag) => withId(tag, sent.tags)),
  }
}

const withId = (label: Label, sent: readonly Label[]): Label => sent.find(({ name }) => name === label.name) ?? label

import { imagesPath } from "../../../core/domain/images/contract.ts"
import { showKey } from "../../../core/domain/keys/rules.ts"
import { OrderStatus } from "../../../core/domain/orders/contract.ts"
import { type Pet, PetStatus } from "../../../core/domain/pets/contract.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { showWebhook } from "../../../core/domain/webhooks/rules.ts"
import type { Cursor, Page, PageOf } from "../../../core/kernel/endpoint/page.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { fromJson } from "../../../core/kernel/json/json.ts"
import type { ComparedKind } from "./contract.ts"
import type { ComparedRow } from "./diff.ts"

const rowsAtOnce = 100

/** The rows of a store in ascending order of id, read in turns of the event loop. Its own photo URLs begin with `publicUrl`. */
export const rowsIn = (store: Store, publicUrl: string): Record<ComparedKind, () => AsyncGenerator<ComparedRow>> => ({
  async *pet() {
    const [from, to] = [await store.origin.publicUrl(), publicUrl].map((url) => `"${url}${imagesPath}/`) as [
      string,
      string,
    ]
    const filter = { statuses: PetStatus.enum, sort: "id" as const }
    const pages = pagesOf(async (cursor: Cursor | undefined) => {
      const { json, next } = await store.pets.list(filter, { limit: rowsAtOnce, cursor })
      return { items: JSON.parse(json.replaceAll(from, to)) as Pet[], next }
    })
    for await (const pet of pages) yield { id: pet.id, value: pet }
  },

  async *order() {
    const filter = { accountId: undefined, petId: undefined, statuses: OrderStatus.enum }
    const pages = pagesOf(async (after: number | undefined) => {
      const { json, next } = await store.orders.list(filter, { limit: rowsAtOnce, sort: "id", after })
      return { items: fromJson(json), next }
    })
    for await (const order of pages) yield { id: order.id, value: order }
  },

  async *user() {
    const pages = pagesOf((after: number | undefined) => store.users.list({ limit: rowsAtOnce, sort: "id", after }))
    for await (const text of pages) {
      const { id, username, ...user } = fromJson(text)
      const read = async () => (await store.users.byName(username))?.passwordHash
      yield { id, value: { id, username, ...user }, secret: { member: "password", read } }
    }
  },

  async *webhook() {
    for (const webhook of await ofAccounts(store, store.webhooks.list)) {
      const { createdAt: _, ...value } = showWebhook(webhook)
      const read = async () => (await store.webhooks.secrets(webhook.id, 0))[0]
      yield { id: webhook.id, value, secret: { member: "secret", read } }
    }
  },

  async *key() {
    for (const key of await ofAccounts(store, store.keys.list)) {
      const { createdAt: _, lastUsedAt: __, ...value } = showKey(key)
      yield { id: key.id, value, secret: { member: "secret", read: () => key.hash } }
    }
  },
})

/** The items of all pages. A store responds synchronously, so that other work needs turns. */
async function* pagesOf<T, Next>(read: (next: Next | undefined) => Awaitable<PageOf<T, Next>>): AsyncGenerator<T> {
  const turns = createYielder()
  let next: Next | undefined
  do {
    const page = await read(next)
    yield* page.items
    next = page.next
    if (turns.isOver()) await turns.next()
  } while (next !== undefined)
}

/** What all accounts have of a kind, in ascending order of id. */
async function ofAccounts<T extends { id: number }>(
  store: Store,
  list: (accountId: number, page: Page) => Promise<PageOf<T>>,
): Promise<T[]> {
  const all: T[] = []
  const accounts = pagesOf((before: number | undefined) => store.accounts.list({ limit: rowsAtOnce, before }))
  for await (const { id } of accounts)
    for await (const one of pagesOf((before: number | undefined) => list(id, { limit: rowsAtOnce, before })))
      all.push(one)
  return all.sort((a, b) => a.id - b.id)
}

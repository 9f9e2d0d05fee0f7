import { after, before } from "node:test"
import type { Order, OrderStatus } from "../../../src/core/domain/orders/contract.ts"
import type { Pet } from "../../../src/core/domain/pets/contract.ts"
import type { LockedPet, StoredPet } from "../../../src/core/domain/pets/store.ts"
import type { Database, Repositories } from "../../../src/core/domain/ports/store.ts"

/** Opens a new, empty store and returns how to close it. */
export type OpenStore = () => Promise<Database>

/** A store for the tests of one suite, opened before them and closed after them. */
export function useStore(open: OpenStore): Omit<Database, "close"> {
  let opened: Awaited<ReturnType<OpenStore>>
  before(async () => {
    opened = await open()
  })
  after(() => opened.close())
  return new Proxy({} as Database, { get: (_target, name) => Reflect.get(opened, name) })
}

/** Adds an account and returns its id. */
export const addAccount = async (store: Pick<Database, "transaction">, name = "a"): Promise<number> =>
  (await store.transaction((tx) => tx.accounts.add({ name, plan: "free" }))).id

/** Adds a user with their account, and returns the account's id. */
export async function addUser(store: Pick<Database, "transaction">, id: number, username: string): Promise<number> {
  const accountId = await addAccount(store, username)
  await store.transaction((tx) => tx.users.add({ user: sampleUser(id, username), accountId, passwordHash: "h" }))
  return accountId
}

export const samplePet = (id: number, more: Partial<Pet> = {}): Pet => ({
  id,
  name: `pet ${id}`,
  photoUrls: [],
  tags: [],
  status: "available",
  ...more,
})

export const sampleOrder = (id: number, petId: number, status: OrderStatus): Order => ({
  id,
  petId,
  quantity: 1,
  status,
  complete: status === "delivered",
})

export const sampleUser = (id: number, username: string) => ({
  id,
  username,
  userStatus: 0,
  role: "customer" as const,
})

/** All items of a paged list, two at a time; fails when paging skips or repeats any. */
export async function readPages<T>(
  list: (page: { limit: number; before: number | undefined }) => Promise<{ items: T[]; next: number | undefined }>,
): Promise<T[]> {
  const items: T[] = []
  let before: number | undefined
  do {
    const page = await list({ limit: 2, before })
    items.push(...page.items)
    before = page.next
  } while (before !== undefined)
  return items
}

/** Replaces a pet as verbs do, which lock it first. */
export async function putPet(tx: Repositories, pet: Pet): Promise<StoredPet> {
  const { pet: before } = (await tx.pets.lock(pet.id)) as LockedPet
  return tx.pets.put(pet, before)
}

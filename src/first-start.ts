import { hash, randomBytes } from "node:crypto"
import type { Plan } from "./domain/accounts/contract.ts"
import { mintSecret } from "./domain/keys/secret.ts"
import { announced, compose } from "./domain/pets/rules.ts"
import { allScopes, type Scope } from "./domain/scopes.ts"
import type { Questions, Store } from "./domain/store.ts"
import type { Clock } from "./kernel/clock.ts"

const petScopes: Scope[] = ["read:pets", "write:pets", "read:orders", "write:orders"]

/** The well-known keys of the sandbox; production knows none of them. */
export const sandboxKeys: { secret: string; plan: Plan; scopes: Scope[] }[] = [
  { secret: "special-key", plan: "enterprise", scopes: allScopes },
  { secret: "pro-key", plan: "pro", scopes: petScopes },
  { secret: "free-key", plan: "free", scopes: petScopes },
]

const categories = ["Dogs", "Cats", "Rabbits", "Lions"]

/** The ten pets of the classic petstore, ids 1 to 10. */
const classicPets = [
  { category: "Cats", name: "Cat 1", tags: ["tag1", "tag2"], status: "available" },
  { category: "Cats", name: "Cat 2", tags: ["tag2", "tag3"], status: "available" },
  { category: "Cats", name: "Cat 3", tags: ["tag3", "tag4"], status: "pending" },
  { category: "Dogs", name: "Dog 1", tags: ["tag1", "tag2"], status: "available" },
  { category: "Dogs", name: "Dog 2", tags: ["tag2", "tag3"], status: "sold" },
  { category: "Dogs", name: "Dog 3", tags: ["tag3", "tag4"], status: "pending" },
  { category: "Lions", name: "Lion 1", tags: ["tag1", "tag2"], status: "available" },
  { category: "Lions", name: "Lion 2", tags: ["tag2", "tag3"], status: "available" },
  { category: "Lions", name: "Lion 3", tags: ["tag3", "tag4"], status: "available" },
  { category: "Rabbits", name: "Rabbit 1", tags: ["tag3", "tag4"], status: "available" },
] as const

/** Fills an empty store with what the sandbox is known for; does nothing from the second start on. */
export const fillSandbox = (store: Store, clock: Clock): Promise<void> =>
  once(store, async (tx) => {
    for (const { secret, plan, scopes } of sandboxKeys) {
      const account = await tx.accounts.add({ name: `sandbox ${plan}`, plan })
      await tx.keys.add({
        accountId: account.id,
        name: secret,
        scopes,
        hash: hash("sha256", secret),
        expiresAt: undefined,
      })
    }
    const labels = {
      categories: new Map<string, number>(),
      tags: await tx.pets.tagIds(["tag1", "tag2", "tag3", "tag4"]),
    }
    for (const name of categories)
      for (const [key, id] of await tx.pets.categoryIds([name])) labels.categories.set(key, id)
    for (const { category, name, tags, status } of classicPets) {
      const draft = {
        category: { name: category },
        name,
        photoUrls: ["url1", "url2"],
        tags: tags.map((tag) => ({ name: tag })),
      }
      const pet = compose(draft, await tx.pets.nextId(), status, labels)
      await tx.pets.add(pet)
      await tx.events.add("pet.created", announced(pet), clock.now())
    }
  })

/**
 * Gives an empty store its first account and a key that may do everything. The key is shown before it is stored, so
 * that whenever the process dies, a key that works has been seen.
 */
export const makeFirstKey = (store: Store, show: (secret: string) => void): Promise<void> =>
  once(store, async (tx) => {
    const account = await tx.accounts.add({ name: "operator", plan: "enterprise" })
    const secret = mintSecret(randomBytes)
    show(secret)
    await tx.keys.add({
      accountId: account.id,
      name: "first key",
      scopes: allScopes,
      hash: hash("sha256", secret),
      expiresAt: undefined,
    })
  })

const once = (store: Store, fill: (tx: Questions) => Promise<void>): Promise<void> =>
  store.transaction(async (tx) => {
    if ((await tx.accounts.read(1)) === undefined) await fill(tx)
  })

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Pet } from "../domain/pets/contract.ts"
import type { Store } from "../domain/ports/store.ts"
import { moveCopyTo, moveSandboxTo, neutralUrl } from "./address.ts"
import { docsClientId } from "./clients.ts"
import { samplePictureHashes } from "./sample-images.ts"

const sampleHash = async () => [...(await samplePictureHashes())][0] as string
const other = "0".repeat(64)
const [before, here] = ["http://127.0.0.1:8080", "https://a.example/shop"]

/** A store at the address `before` with these photos by pet. */
function storeWith(photos: Record<number, string[]>, publicUrl = before) {
  const pets = new Map(
    Object.entries(photos).map(([id, photoUrls]) => [Number(id), { id: Number(id), photoUrls } as Pet]),
  )
  const calls: string[] = []
  const state = { publicUrl, redirectUris: [] as string[] }
  const tx = {
    origin: {
      lock: async () => void calls.push("lock"),
      publicUrl: async () => state.publicUrl,
      async putPublicUrl(url: string) {
        state.publicUrl = url
      },
    },
    pets: {
      lock: async (id: number) => (pets.has(id) ? { pet: pets.get(id) } : undefined),
      async put(pet: Pet) {
        calls.push(`put ${pet.id}`)
        pets.set(pet.id, pet)
      },
    },
    oauthClients: {
      byClientId: async (id: string) => (id === docsClientId ? { clientId: id } : undefined),
      async put({ redirectUris }: { redirectUris: string[] }) {
        state.redirectUris = redirectUris
      },
    },
  }
  const store = {
    ...tx,
    transaction: (work: (inside: object) => Promise<unknown>) => work(tx),
    pets: {
      async list(
        { statuses }: { statuses: string[] },
        { limit, cursor }: { limit: number; cursor: number | undefined },
      ) {
        assert.deepEqual([statuses.length, limit], [3, 100])
        const rest = [...pets.values()].filter(({ id }) => id > (cursor ?? 0))
        const page = rest.slice(0, limit)
        return { json: JSON.stringify(page), next: rest.length > limit ? page.at(-1)?.id : undefined }
      },
    },
  }
  const shown = () => Object.fromEntries([...pets].map(([id, { photoUrls }]) => [id, photoUrls]))
  return { store: store as unknown as Store, calls, state, shown }
}

test("at another address the sample images of seeded pets have it, and what clients wrote is kept", async () => {
  const sample = await sampleHash()
  const photos = {
    1: [`${before}/images/${sample}`, "https://b.example/cat.png"],
    2: [`/images/${sample}`, `/images/${sample}/320`],
    3: [`${before}/images/${other}`],
    4: [`https://b.example/images/${sample}`],
    300: [`${before}/images/${sample}/1280`],
    301: [`${before}/images/${sample}`],
  }
  const { store, calls, state, shown } = storeWith(photos)
  await moveSandboxTo(store, here)
  assert.deepEqual(shown(), {
    ...photos,
    1: [`${here}/images/${sample}`, "https://b.example/cat.png"],
    2: [`${here}/images/${sample}`, `${here}/images/${sample}/320`],
    300: [`${here}/images/${sample}/1280`],
  })
  assert.deepEqual(calls.toSorted(), ["lock", "put 1", "put 2", "put 300"])
  assert.deepEqual([state.publicUrl, state.redirectUris], [here, [`${here}/docs`]])
})

test("at the same address only the client of the reference is written, for every name of this machine", async () => {
  const { store, calls, state } = storeWith({ 1: [`/images/${await sampleHash()}`] })
  await moveSandboxTo(store, before)
  assert.deepEqual(calls, [])
  assert.deepEqual(state.redirectUris, ["http://localhost:8080/docs", "http://127.0.0.1:8080/docs"])
})

test("a copy has all images of its original at its own address", async () => {
  const own = (id: number) => [`${neutralUrl}/images/${other}`, `https://b.example/${id}.png`]
  const photos = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n + 1, own(n + 1)]))
  for (const move of [moveSandboxTo, moveCopyTo]) {
    const { store, calls, state, shown } = storeWith(photos, neutralUrl)
    await move(store, here)
    const moved = Object.entries(photos).map(([id, urls]) => [id, [`${here}/images/${other}`, urls[1]]])
    assert.deepEqual(shown(), Object.fromEntries(moved))
    assert.deepEqual([calls.length, state.publicUrl, state.redirectUris], [202, here, [`${here}/docs`]])
  }
  const bare = storeWith({ 1: [`https://b.example/images/${other}`] }, before)
  await moveCopyTo(bare.store, here)
  assert.deepEqual([bare.calls, bare.state.publicUrl], [["lock"], here])
})

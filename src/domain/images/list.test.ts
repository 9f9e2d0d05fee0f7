import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import { Problem } from "../../kernel/problem.ts"
import { listPetImages } from "./list.ts"

test("the images of a pet are listed in the order of its photos, with their sizes and descriptions", async () => {
  const [one, two] = ["1".repeat(64), "2".repeat(64)]
  const image = { type: "image/png", width: 3, height: 4, frames: 1, bytes: { original: 9, "320": 1, "1280": 2 } }
  const store = {
    pets: {
      read: async (id: number) =>
        id === 1
          ? { json: JSON.stringify({ photoUrls: [`/images/${two}`, "https://b/c.png", `/images/${one}`] }) }
          : undefined,
    },
    images: {
      ofPet: async () => [
        { image: { ...image, sha256: one }, description: "asleep" },
        { image: { ...image, sha256: two }, description: undefined },
      ],
    },
  }
  const list = (petId: number) => runVerb(listPetImages, { store }, { params: { petId } })
  const shown = (sha256: string) => {
    const url = `https://petstore.example/images/${sha256}`
    const sizes = [320, 1280].map((edge) => ({ edge, url: `${url}/${edge}` }))
    return { sha256, url, type: "image/png", width: 3, height: 4, frames: 1, bytes: 9, sizes }
  }
  assert.deepEqual(await list(1), [shown(two), { ...shown(one), description: "asleep" }])
  const absent = await list(2)
  assert.ok(absent instanceof Problem && absent.code === "pet-not-found")
})

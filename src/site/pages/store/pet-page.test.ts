import assert from "node:assert/strict"
import { test } from "node:test"
import { shop } from "../../../../test/harness/shop.ts"
import { imagePath } from "../../../domain/images/contract.ts"
import type { Pet } from "../../../domain/pets/contract.ts"
import { storePetPage } from "./pet-page.ts"
import type { PetView, Shop } from "./views.ts"

const key = { secret: "special-key", plan: "pro", scopes: ["read:pets" as const] }
const pet: Pet = { id: 7, name: "Rex", status: "available", tags: [], photoUrls: [] }

/** What a page of a pet shows. */
function shown(changed: Partial<Pet> = {}, view: Partial<PetView> = {}, knownKeys: Shop["knownKeys"] = []) {
  const asked = { pet: { ...pet, ...changed }, order: undefined, refusal: undefined, person: undefined, ...view }
  const { status, body, headers } = storePetPage({ ...shop, knownKeys }, asked)
  const text = String(body)
  return {
    status,
    isLong: text.includes('<h1 class="long">'),
    more: text.match(/alt="Another image"/g)?.length ?? 0,
    tags: [...text.matchAll(/\?tag=(\w+)"/g)].map(([, tag]) => tag),
    hasForm: text.includes("Order this pet"),
    words: [...text.matchAll(/<p class="soft">(.*?)<\/p>/g)].map(([, words]) => words?.replaceAll(/<.*?>/g, "")),
    canEdit: text.includes(">Edit<"),
    cache: headers[headers.indexOf("cache-control") + 1],
  }
}
const plain = {
  status: 200,
  isLong: false,
  more: 0,
  tags: [],
  hasForm: false,
  words: ["Sign in to order this pet."],
  canEdit: false,
  cache: "no-cache",
}

test("a pet is ordered by who is signed in, or with the public key, while it is available", () => {
  assert.deepEqual(shown(), plain)
  const withKey = ["Orders in the sandbox with the key special-key.", "Sign in to order for yourself."]
  assert.deepEqual(shown({}, {}, [key]), { ...plain, hasForm: true, words: withKey })
  const person = { username: "ada", role: "customer", token: "T" } as const
  assert.deepEqual(shown({}, { person }), {
    ...plain,
    hasForm: true,
    words: ["Orders in the name of ada."],
    cache: "private, no-cache",
  })
  assert.equal(shown({}, { person: { ...person, role: "staff" } }).canEdit, true)
  assert.deepEqual(shown({ status: "sold" }, {}, [key]), { ...plain, words: [] })
  assert.equal(shown({}, { refusal: "No" }).status, 409)
})

test("a pet has its tags, the images after the first one, and a smaller heading for a name of more than 40 characters", () => {
  const images = [1, 2, 3].map((n) => `https://pets.example${imagePath(`${n}`.repeat(64))}`)
  const more = (count: number) => shown({ photoUrls: images.slice(0, count) }).more
  assert.deepEqual([more(0), more(1), more(2), more(3)], [0, 0, 1, 2])
  assert.deepEqual(shown({ tags: [{ id: 1, name: "calm" }] }).tags, ["calm"])
  assert.deepEqual(
    shown({
      tags: [
        { id: 1, name: "calm" },
        { id: 2, name: "old" },
      ],
    }).tags,
    ["calm", "old"],
  )
  const isLong = (length: number) => shown({ name: "x".repeat(length) }).isLong
  assert.deepEqual([isLong(40), isLong(41)], [false, true])
})

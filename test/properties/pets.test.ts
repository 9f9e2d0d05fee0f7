import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Refused } from "../../src/client/client.ts"
import type { Pet, PetDraft, PetPatch } from "../../src/core/domain/pets/contract.ts"
import { isVisible } from "../../src/core/kernel/visible.ts"
import { anyText } from "../harness/arbitraries.ts"
import { malformed } from "../harness/malformed.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")

const readable = (max: number) =>
  anyText(max).filter((text) => isVisible(text) && !text.includes("\0") && [...text].length <= max)
const photoUrl = fc.constantFrom("string", "https://example.org/a?b#c", "a/b.png", "//host/%F0%9F%90%95")
const draft: fc.Arbitrary<PetDraft> = fc.record(
  {
    name: readable(60),
    photoUrls: fc.array(photoUrl, { maxLength: 3 }),
    category: fc.record({ name: readable(30) }),
    tags: fc.array(fc.record({ name: readable(30) }), { maxLength: 4 }),
    status: fc.constantFrom("available", "pending", "sold"),
  },
  { requiredKeys: ["name", "photoUrls"] },
)

const names = (tags: { name: string }[] | undefined) => [...new Set(tags?.map(({ name }) => name))]
/** What a client stores, without ids. */
const contentOf = ({ name, photoUrls, category, tags, status }: Partial<Pet | PetDraft>) => ({
  name,
  photoUrls,
  category: category?.name,
  tags: names(tags),
  status,
})
const racing = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

test("a pet is read as it was stored, in any script and with emoji, and is found by its tags (slow)", async () => {
  await fc.assert(
    fc.asyncProperty(draft, async (body) => {
      const { value: created } = await store.addPet({ body })
      const { value: read } = await store.getPetById({ params: { petId: created.id } })
      assert.deepEqual(read, created)
      assert.deepEqual(contentOf(read), contentOf({ status: "available", ...body }))
      for (const { name } of read.tags.filter((tag) => !tag.name.includes(","))) {
        const { value: found } = await store.findPetsByTags({ query: { tags: [name] } })
        assert.ok(
          found.some(({ id }) => id === read.id),
          `not found by ${JSON.stringify(name)}`,
        )
      }
    }),
    { numRuns: 120 },
  )
})

test("ids at the limits are accepted exactly or refused, never rounded", async () => {
  const post = async (id: string) => {
    const headers = { api_key: "special-key", "content-type": "application/json" }
    const response = await fetch(`${petstore.url}/api/v3/pet`, {
      method: "POST",
      headers,
      body: `{"id":${id},"name":"edge","photoUrls":[]}`,
    })
    return { status: response.status, text: await response.text() }
  }
  for (const id of ["9007199254740991", "9007199254740990.0", "9.00719925474098e15", "123456e3"]) {
    const { status, text } = await post(id)
    assert.deepEqual({ status, id: JSON.parse(text).id }, { status: 200, id: Number(id) }, text)
  }
  for (const id of ["0", "-0", "0.0", "0e5", "null"]) assert.ok(JSON.parse((await post(id)).text).id > 0)
  for (const id of [
    "9007199254740992",
    "9007199254740993",
    "9007199254740990.7",
    "1e16",
    "1e400",
    "-1",
    "1.5",
    "1e-400",
    '"1"',
    "true",
    "[]",
    "{}",
  ])
    assert.equal((await post(id)).status, 422, id)
})

test("concurrent creations with the same new names give each name one id", async () => {
  for (let round = 0; round < 5; round++) {
    const tags = Array.from({ length: 5 }, (_, n) => ({ name: `new ${round}.${n}` }))
    const pets = await racing(20, async (n) => {
      const body = {
        name: "namesake",
        photoUrls: [],
        category: { name: `new ${round}` },
        tags: n % 2 ? tags : tags.toReversed(),
      }
      return (await store.addPet({ body })).value
    })
    const idsByName = new Map<string, Set<number>>()
    for (const { name, id } of pets.flatMap((pet) => [
      ...pet.tags,
      { ...(pet.category as Pet["tags"][number]), name: "category" },
    ]))
      idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id))
    for (const [name, ids] of idsByName) assert.equal(ids.size, 1, `${name} has the ids ${[...ids]}`)
  }
})

test("generated ids never collide with ids that clients choose just above them", async () => {
  for (let round = 0; round < 5; round++) {
    const { value: last } = await store.addPet({ body: { name: "last", photoUrls: [] } })
    const ids = await racing(40, async (n) => {
      const id = n % 2 ? last.id + 1 + Math.floor(Math.random() * 30) : undefined
      try {
        return (await store.addPet({ body: { ...(id && { id }), name: String(id ?? "generated"), photoUrls: [] } }))
          .value
      } catch (error) {
        assert.ok(error instanceof Refused && error.problem.code === "pet-exists" && id !== undefined, String(error))
        return undefined
      }
    })
    const created = ids.filter((pet) => pet !== undefined)
    assert.equal(new Set(created.map(({ id }) => id)).size, created.length)
    for (const pet of created) assert.deepEqual((await store.getPetById({ params: { petId: pet.id } })).value, pet)
  }
})

test("a patch follows RFC 7396, or is refused when the result would not be a pet (slow)", async () => {
  const named = (max: number) => fc.option(fc.record({ name: readable(max) }), { nil: null })
  const patch = fc.record(
    {
      name: fc.oneof(readable(60), fc.constant(null)),
      category: fc.oneof(named(30), fc.constant({})),
      tags: fc.option(fc.array(fc.record({ name: readable(30) }), { maxLength: 3 }), { nil: null }),
      photoUrls: fc.option(fc.array(photoUrl, { maxLength: 2 }), { nil: null }),
      status: fc.constantFrom("available", "sold", null),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(draft, patch, async (body, change) => {
      const { value: before } = await store.addPet({ body })
      const expected = merged(before, change) as Partial<Pet>
      const params = { petId: before.id }
      try {
        const { value: after } = await store.patchPet({ params, body: malformed(change) })
        assert.deepEqual(contentOf(after), contentOf(expected))
      } catch (error) {
        assert.ok(refusedAs("invalid-body")(error), String(error))
        assert.ok(
          change.name === null ||
            change.photoUrls === null ||
            change.status === null ||
            (expected.category && !expected.category.name),
        )
        assert.deepEqual((await store.getPetById({ params })).value, before)
      }
    }),
    { numRuns: 120 },
  )
})

/** RFC 7396 section 2, as written there. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> =
    typeof target === "object" && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name]
    else result[name] = merged(result[name], value)
  return result
}

test("an ETag changes exactly when the representation does", async () => {
  const seen = new Map<string, string>()
  const { value: pet } = await store.addPet({ body: { name: "etag", photoUrls: [] } })
  const params = { petId: pet.id }
  const changes = fc.constantFrom<PetPatch>(
    { name: "a" },
    { name: "b" },
    { status: "sold" },
    { status: "available" },
    { tags: [{ name: "x" }] },
    { tags: [] },
  )
  await fc.assert(
    fc.asyncProperty(changes, async (body) => {
      const changed = await store.patchPet({ params, body })
      const read = await store.getPetById({ params })
      const etag = read.headers.get("etag") ?? ""
      const text = JSON.stringify(read.value)
      assert.equal(changed.headers.get("etag"), etag)
      for (const [otherText, otherTag] of seen) assert.equal(otherTag === etag, otherText === text)
      seen.set(text, etag)
      assert.equal((await store.getPetById({ params }, { headers: { "if-none-match": `"x", ${etag}` } })).status, 304)
    }),
    { numRuns: 30 },
  )
})

test("of concurrent conditional changes with the same ETag exactly one succeeds", async () => {
  const { value: pet, headers } = await store.addPet({ body: { name: "prize", photoUrls: [] } })
  const condition = { "if-match": headers.get("etag") ?? "" }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      n % 3
        ? store.patchPet({ params: { petId: pet.id }, body: { name: `winner ${n}` } }, { headers: condition })
        : store.updatePet({ body: { id: pet.id, name: `winner ${n}`, photoUrls: [] } }, { headers: condition }),
    ),
  )
  const [winner, ...more] = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.value] : []))
  assert.deepEqual(more, [])
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.ok(refusedAs("precondition-failed")(outcome.reason))
  assert.deepEqual((await store.getPetById({ params: { petId: pet.id } })).value, winner)
})

test("twenty concurrent requests with the same Idempotency-Key create one pet", async () => {
  for (let round = 0; round < 5; round++) {
    const tag = `once ${round}`
    const body = { name: "once", photoUrls: [], tags: [{ name: tag }] }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => store.addPet({ body, idempotencyKey: tag })),
    )
    const responses = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))
    for (const outcome of outcomes)
      if (outcome.status === "rejected") assert.ok(refusedAs("idempotency-key-in-use")(outcome.reason))
    assert.equal(responses.filter(({ headers }) => headers.get("idempotency-replayed") === null).length, 1)
    assert.equal(new Set(responses.map(({ value }) => value.id)).size, 1)
    assert.equal((await store.findPetsByTags({ query: { tags: [tag] } })).value.length, 1)
  }
})

test("pages contain every pet exactly once while others are created and deleted (slow)", async () => {
  const tags = [{ name: "paged" }]
  const lasting = await racing(
    60,
    async (n) => (await store.addPet({ body: { name: `stays ${n}`, photoUrls: [], tags } })).value.id,
  )
  const fleeting: number[] = []
  let isDone = false
  const others = racing(4, async () => {
    while (!isDone) {
      fleeting.push((await store.addPet({ body: { name: "goes", photoUrls: [], tags } })).value.id)
      const petId = fleeting.length > 5 ? fleeting.shift() : undefined
      if (petId) await store.deletePet({ params: { petId } })
    }
  })
  for (let walk = 0; walk < 4; walk++) {
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const { value, headers } = await store.findPetsByTags({
        query: { tags: ["paged"], limit: 7, ...(cursor && { cursor }) },
      })
      seen.push(...value.map(({ id }) => id))
      cursor = /[?&]cursor=([^&>]+)/.exec(headers.get("link") ?? "")?.[1]
    } while (cursor)
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => lasting.includes(id)),
      lasting.toSorted((a, b) => b - a),
    )
  }
  isDone = true
  await others
})

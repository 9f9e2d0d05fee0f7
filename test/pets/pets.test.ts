import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Refused } from "../../src/client/client.ts"
import type { PetDraft } from "../../src/domain/pets/contract.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")

const create = async (more: Partial<PetDraft> = {}) =>
  (await store.addPet({ body: { name: "n", photoUrls: [], ...more } })).value
const read = async (petId: number) => (await store.getPetById({ params: { petId } })).value
const eventsOf = async (id: number) =>
  (await petstore.store.events.after(0, 10_000))
    .map(({ json }) => JSON.parse(json))
    .filter(({ data }) => data.id === id)

describe("addPet", () => {
  test("returns the pet with all ids, and it reads back equal", async () => {
    const draft = {
      name: "Ünïcødé 🐕‍🦺 كلب",
      photoUrls: ["string", "https://a.example/ä".replace("ä", "%C3%A4")],
      category: { name: "Hünde" },
    }
    const created = await create({ ...draft, tags: [{ name: "x" }, { name: "y" }, { name: "x" }] })
    assert.deepEqual(await read(created.id), created)
    assert.deepEqual(
      { name: created.name, photoUrls: created.photoUrls, status: created.status },
      { name: draft.name, photoUrls: draft.photoUrls, status: "available" },
    )
    assert.ok(created.category && created.category.id > 0)
    assert.deepEqual(
      created.tags.map(({ name }) => name),
      ["x", "y"],
    )
  })

  test("gives equal category and tag names the same ids and ignores ids that are sent", async () => {
    const one = await create({ category: { name: "Same" }, tags: [{ name: "same" }] })
    const body = { name: "n", photoUrls: [], category: { id: 4711, name: "Same" }, tags: [{ id: 4712, name: "same" }] }
    const { value: two } = await store.addPet({ body })
    assert.deepEqual({ category: two.category, tags: two.tags }, { category: one.category, tags: one.tags })
  })

  test("keeps an id chosen by the client, up to the largest", async () => {
    assert.equal((await create({ id: Number.MAX_SAFE_INTEGER })).id, Number.MAX_SAFE_INTEGER)
    assert.ok((await create()).id < 1_000_000)
  })

  test("refuses a taken id without overwriting the pet", async () => {
    await assert.rejects(create({ id: 1, name: "intruder" }), refusedAs("pet-exists"))
    assert.equal((await read(1)).name, "Cat 1")
  })

  test("reports every violation at once", async () => {
    const body = {
      id: 1.5,
      name: "  ",
      photoUrls: ["javascript:alert(1)"],
      tags: [{}],
      status: "lost",
      category: { name: "x".repeat(101) },
    }
    await assert.rejects(store.addPet({ body: body as never }), (error) => {
      assert.ok(error instanceof Refused)
      const pointers = error.problem.errors?.map((violation) => "pointer" in violation && violation.pointer)
      assert.deepEqual(pointers?.sort(), ["/category/name", "/id", "/name", "/photoUrls/0", "/status", "/tags/0/name"])
      return error.problem.code === "invalid-body"
    })
  })

  const tooMuch: Record<string, object> = {
    "name of 256 characters": { name: "x".repeat(256) },
    "name with NUL": { name: "a\0b" },
    "51 tags": { tags: Array.from({ length: 51 }, (_, n) => ({ name: `t${n}` })) },
    "51 photos": { photoUrls: Array(51).fill("u") },
    "photo address of 2049 characters": { photoUrls: ["u".repeat(2049)] },
    "photo address with a space": { photoUrls: ["a b"] },
    "data: address": { photoUrls: ["data:text/html,x"] },
    "http address without a host": { photoUrls: ["http://"] },
    "id 2^53": { id: 2 ** 53 },
    "negative id": { id: -1 },
    "missing photoUrls": { photoUrls: undefined },
  }
  for (const [what, more] of Object.entries(tooMuch))
    test(`refuses a ${what}`, () => assert.rejects(create(more), refusedAs("invalid-body")))

  test("accepts every value up to its limit", async () => {
    const tags = Array.from({ length: 50 }, (_, n) => ({ name: "🏷".repeat(98) + String(n).padStart(2, "0") }))
    const name = "🐕".repeat(255)
    const pet = await create({
      name,
      tags,
      photoUrls: Array(50).fill("u".repeat(2048)),
      category: { name: "c".repeat(100) },
    })
    assert.deepEqual(
      { name: (await read(pet.id)).name, tags: pet.tags.length, photoUrls: pet.photoUrls.length },
      { name, tags: 50, photoUrls: 50 },
    )
  })
})

describe("updatePet", () => {
  test("clears what is omitted and keeps the status", async () => {
    const { id } = await create({ category: { name: "c" }, tags: [{ name: "t" }], status: "sold" })
    const { value } = await store.updatePet({ body: { id, name: "new", photoUrls: ["p"] } })
    assert.deepEqual(value, { id, name: "new", photoUrls: ["p"], tags: [], status: "sold" })
    assert.deepEqual(await read(id), value)
  })

  test("without a usable id is 400, with an unknown one 404", async () => {
    for (const id of [undefined, null, 0, -1, 1.5, "1", 2 ** 53])
      await assert.rejects(
        store.updatePet({ body: { id, name: "n", photoUrls: [] } as never }),
        refusedAs("invalid-pet-id"),
      )
    await assert.rejects(
      store.updatePet({ body: { id: 987_654, name: "n", photoUrls: [] } }),
      refusedAs("pet-not-found"),
    )
  })
})

describe("patchPet", () => {
  test("changes the given fields, removes those that are null, and keeps the rest", async () => {
    const pet = await create({ category: { name: "c" }, tags: [{ name: "t" }], photoUrls: ["p"] })
    const { value } = await store.patchPet({ params: { petId: pet.id }, body: { category: null, name: "patched" } })
    const { category: _, ...rest } = pet
    assert.deepEqual(value, { ...rest, name: "patched" })
  })

  test("refuses a result that breaks the schema, a changed id, and the removal of what is required", async () => {
    const { id } = await create()
    for (const body of [{ category: {} }, { id: id + 1 }, { name: null }, { status: null }, { photoUrls: null }])
      await assert.rejects(store.patchPet({ params: { petId: id }, body: body as never }), refusedAs("invalid-body"))
  })

  test("accepts a plain application/json body too", async () => {
    const { value } = await store.patchPet(
      {
        params: { petId: 2 },
        body: { name: "Cat II" },
      },
      { headers: { "content-type": "application/json" } },
    )
    assert.equal(value.name, "Cat II")
  })
})

test("updatePetWithForm changes name and status from the query, and only those given", async () => {
  const pet = await create({ tags: [{ name: "t" }] })
  const { value } = await store.updatePetWithForm({ params: { petId: pet.id }, query: { status: "pending" } })
  assert.deepEqual(value, { ...pet, status: "pending" })
  const renamed = await store.updatePetWithForm({ params: { petId: pet.id }, query: { name: "é & ?" } })
  assert.equal(renamed.value.name, "é & ?")
})

test("a deleted pet appears nowhere, and deleting it again is 404", async () => {
  const { id } = await create({ tags: [{ name: "doomed" }] })
  const { value } = await store.deletePet({ params: { petId: id } })
  assert.deepEqual(value, { code: 200, type: "success", message: "Pet deleted" })
  await assert.rejects(read(id), refusedAs("pet-not-found"))
  assert.deepEqual((await store.findPetsByTags({ query: { tags: ["doomed"] } })).value, [])
  await assert.rejects(store.deletePet({ params: { petId: id } }), refusedAs("pet-not-found"))
})

describe("lists", () => {
  const ids = (pets: { id: number }[]) => pets.map(({ id }) => id)

  test("by status: one, repeated, comma-separated, and available by default", async () => {
    const get = async (query: string) => {
      const response = await fetch(`${petstore.url}/api/v3/pet/findByStatus?${query}`, {
        headers: { api_key: "special-key" },
      })
      const pets = response.ok ? ((await response.json()) as { status: string }[]) : []
      return { status: response.status, statuses: new Set(pets.map((pet) => pet.status)) }
    }
    assert.deepEqual((await get("status=sold")).statuses, new Set(["sold"]))
    assert.deepEqual((await get("status=sold&status=pending")).statuses, new Set(["sold", "pending"]))
    assert.deepEqual((await get("status=sold,pending")).statuses, new Set(["sold", "pending"]))
    for (const query of ["", "status="]) assert.deepEqual((await get(query)).statuses, new Set(["available"]))
    for (const query of ["status=lost", "status=sold,lost", "status=sold,"])
      assert.equal((await get(query)).status, 400, query)
  })

  test("by tags: any of them, each pet once, newest first; a request without tags is refused", async () => {
    const both = await create({ tags: [{ name: "Q" }, { name: "R" }] })
    const one = await create({ tags: [{ name: "R" }] })
    assert.deepEqual(ids((await store.findPetsByTags({ query: { tags: ["R", "Q"] } })).value), [one.id, both.id])
    assert.deepEqual(ids((await store.findPetsByTags({ query: { tags: ["Q"] } })).value), [both.id])
    await assert.rejects(store.findPetsByTags(), refusedAs("invalid-parameter"))
  })

  test("following Link visits every pet once", async () => {
    const wanted = new Set<number>()
    for (let n = 0; n < 7; n++) wanted.add((await create({ tags: [{ name: "paged, really" }], status: "sold" })).id)
    const seen: number[] = []
    let next: string | undefined = `${petstore.url}/api/v3/pet/findByStatus?status=sold&limit=2`
    while (next) {
      const response = await fetch(next, { headers: { api_key: "special-key" } })
      seen.push(...ids((await response.json()) as { id: number }[]))
      next = response.headers.get("link")?.match(/<(.+)>; rel="next"/)?.[1]
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => b - a),
    )
    for (const id of wanted) assert.ok(seen.includes(id))
  })
})

test("a name without a visible character is refused like a blank one, of a category, a tag, a key and an account too", async () => {
  const as = petstore.as("special-key")
  for (const name of ["\u200b", "\u2800\u3164", "\u00ad", "\u0007\u001b", " \u2060 "]) {
    const refused = refusedAs("invalid-body")
    await assert.rejects(as.addPet({ body: { name, photoUrls: [] } }), refused)
    await assert.rejects(as.addPet({ body: { name: "n", photoUrls: [], category: { name } } }), refused)
    await assert.rejects(as.addPet({ body: { name: "n", photoUrls: [], tags: [{ name }] } }), refused)
    await assert.rejects(as.patchPet({ params: { petId: 1 }, body: { name } }), refused)
    await assert.rejects(as.createKey({ body: { name, scopes: ["read:pets"] } }), refused)
    await assert.rejects(as.createAccount({ body: { name, plan: "free" } }), refused)
  }
  for (const name of ["\u200bRex", "🐕", "می‌خواهم"]) {
    const { value } = await as.addPet({ body: { name, photoUrls: [] } })
    assert.equal(value.name, name)
  }
})

describe("conditional requests", () => {
  test("a known representation is 304 without a body; a changed one is sent in full", async () => {
    const { id } = await create()
    const etag = (await store.getPetById({ params: { petId: id } })).headers.get("etag") as string
    assert.match(etag, /^"[^"]+"$/)
    const again = () =>
      store.getPetById({ params: { petId: id } }, { headers: { "if-none-match": `"other", W/${etag}` } })
    const unchanged = await again()
    assert.deepEqual({ status: unchanged.status, value: unchanged.value }, { status: 304, value: undefined })
    await store.patchPet({ params: { petId: id }, body: { name: "changed" } })
    assert.equal((await again()).status, 200)
  })

  test("a read whose If-Match lists another tag is 412, in each representation; any listed tag or * is 200", async () => {
    const created = await store.addPet({ body: { name: "n", photoUrls: [] } })
    const url = `${petstore.url}/api/v3/pet/${created.value.id}`
    const statusOf = async (ifMatch: string, accept = "application/json", method = "GET") =>
      (await fetch(url, { method, headers: { api_key: "special-key", accept, "if-match": ifMatch } })).status
    const etag = created.headers.get("etag") as string
    for (const accept of ["application/json", "application/xml"])
      for (const method of ["GET", "HEAD"]) {
        assert.equal(await statusOf(etag, accept, method), 200)
        assert.equal(await statusOf(`"other", ${etag}`, accept, method), 200)
        assert.equal(await statusOf("*", accept, method), 200)
        assert.equal(await statusOf('"other"', accept, method), 412)
        assert.equal(await statusOf(`W/${etag}`, accept, method), 412)
      }
    assert.equal((await fetch(`${url}9`, { headers: { api_key: "special-key", "if-match": '"a"' } })).status, 404)
  })

  test("an update based on an outdated representation is 412 and changes nothing", async () => {
    const created = await store.addPet({ body: { name: "n", photoUrls: [] } })
    const petId = created.value.id
    const headers = { "if-match": created.headers.get("etag") as string }
    const patched = await store.patchPet({ params: { petId }, body: { name: "first" } }, { headers })
    const stale = refusedAs("precondition-failed")
    await assert.rejects(store.patchPet({ params: { petId }, body: { name: "second" } }, { headers }), stale)
    await assert.rejects(store.updatePet({ body: { id: petId, name: "second", photoUrls: [] } }, { headers }), stale)
    await assert.rejects(store.deletePet({ params: { petId } }, { headers }), stale)
    assert.deepEqual(await read(petId), patched.value)
    await store.deletePet({ params: { petId } }, { headers: { "if-match": "*" } })
  })
})

describe("Idempotency-Key", () => {
  const post = (key: string, name: string, as = store) =>
    as.addPet({ body: { name, photoUrls: [] }, idempotencyKey: key })

  test("the same request is replayed and creates one pet", async () => {
    const first = await post("k1", "once")
    const second = await post("k1", "once")
    assert.deepEqual(second.value, first.value)
    assert.equal(second.headers.get("etag"), first.headers.get("etag"))
    assert.deepEqual(
      [first, second].map(({ headers }) => headers.get("idempotency-replayed")),
      [null, "true"],
    )
    assert.equal((await eventsOf(first.value.id)).length, 1)
  })

  test("the spelling of the URL does not matter", async () => {
    const paths = ["/api/v3/pet", "/api/v3/pet/", "/api/v3/pet?unknown=1", "/api/v3/pet?"]
    const replies = []
    for (const path of paths) {
      const response = await fetch(petstore.url + path, {
        method: "POST",
        headers: { api_key: "special-key", "content-type": "application/json", "idempotency-key": "spelling" },
        body: '{"name":"once","photoUrls":[]}',
      })
      replies.push({ status: response.status, text: await response.text() })
    }
    for (const reply of replies) assert.deepEqual(reply, { status: 200, text: replies[0]?.text })
  })

  test("another body under the same key is refused; keys of different accounts are independent", async () => {
    const mine = await post("k2", "mine")
    await assert.rejects(post("k2", "other"), refusedAs("idempotency-key-reused"))
    const theirs = await post("k2", "other", petstore.as("pro-key"))
    assert.notEqual(theirs.value.id, mine.value.id)
  })

  test("is forgotten after 24 hours", async () => {
    const first = await post("k3", "daily")
    petstore.clock.advance(24 * 3600 * 1000 + 1)
    assert.notEqual((await post("k3", "daily")).value.id, first.value.id)
  })

  test("longer than 255 characters is refused", () =>
    assert.rejects(post("x".repeat(256), "n"), refusedAs("invalid-parameter")))
})

test("every change emits one event, with the payload that the contract specifies", async () => {
  const { id } = await create({ name: "announced" })
  await store.patchPet({ params: { petId: id }, body: { status: "sold" } })
  await store.deletePet({ params: { petId: id } })
  const events = await eventsOf(id)
  const now = new Date(petstore.clock.now()).toISOString()
  const times = { createdAt: now, updatedAt: now }
  assert.deepEqual(
    events.map(({ event, data }) => [event, data]),
    [
      ["pet.created", { id, name: "announced", status: "available" }],
      ["pet.updated", { id, name: "announced", status: "sold", ...times }],
      ["pet.deleted", { id, name: "announced", status: "sold", ...times }],
    ],
  )
  for (const event of events) {
    assert.deepEqual(Object.keys(event), ["event", "data", "timestamp"])
    assert.equal(event.timestamp, new Date(petstore.clock.now()).toISOString())
  }
})

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Pet, PetStatus } from "../../../src/core/domain/pets/contract.ts"
import type { LockedPet, PetPage, SentIds, StatusCounts } from "../../../src/core/domain/pets/store.ts"
import { pageBytesMax } from "../../../src/core/kernel/endpoint/page.ts"
import { theOnly } from "../../../src/core/kernel/flow/the-only.ts"
import { idMax } from "../../../src/core/kernel/schema/schema.ts"
import { type OpenStore, putPet, samplePet, useStore } from "./samples.ts"

export function testPets(open: OpenStore): void {
  const store = useStore(open)
  const added = async (pet: Pet) => theOnly(await store.transaction((tx) => tx.pets.add([pet])))

  test("a pet reads back as the stored text, with an entity tag of exactly that text", async () => {
    const pet = samplePet(100, { name: "Żółw 🐢", photoUrls: ["a", "b"] })
    const stored = await added(pet)
    const read = await store.pets.read(100)
    assert.deepEqual({ ...read }, stored)
    assert.deepEqual(JSON.parse(read?.json ?? ""), pet)

    const changed = await store.transaction((tx) => putPet(tx, { ...pet, name: "Żółwik" }))
    assert.notEqual(changed.etag, stored?.etag)
    const restored = await store.transaction((tx) => putPet(tx, pet))
    assert.equal(restored.etag, stored?.etag)
  })

  test("the times of a pet are those of its addition and its last change, where they are known", async () => {
    const pet = samplePet(350)
    const times = async (...ids: number[]) => [...(await store.pets.times(ids))].sort(([a], [b]) => a - b)
    const put = (at?: number) =>
      store.transaction(async (tx) => {
        const found = (await tx.pets.lock(pet.id)) as LockedPet
        await tx.pets.put(pet, found.pet, at)
        return found.times
      })
    await store.transaction((tx) => tx.pets.add([pet], 70_000))
    assert.deepEqual(await times(350, 351), [[350, { createdAt: 70_000, updatedAt: 70_000 }]])
    assert.deepEqual(await put(2 ** 42), { createdAt: 70_000, updatedAt: 70_000 })
    assert.deepEqual(await put(), { createdAt: 70_000, updatedAt: 2 ** 42 })
    await added(samplePet(351))
    assert.deepEqual(await times(351, 350), [
      [350, { createdAt: 70_000, updatedAt: 2 ** 42 }],
      [351, { createdAt: undefined, updatedAt: undefined }],
    ])
    assert.deepEqual(await times(), [])
  })

  test("ids sent for a pet are kept until others are, or the pet is deleted", async () => {
    const [pet, sent] = [samplePet(310), { category: { id: 0, name: "Żółw" }, tags: [{ id: -5, name: "__proto__" }] }]
    const keep = (ids: SentIds) => store.transaction((tx) => tx.pets.keepSentIds(pet.id, ids))
    await added(pet)
    assert.deepEqual(await store.pets.sentIds([pet.id, 311]), new Map())
    await keep(sent)
    assert.deepEqual(await store.pets.sentIds([pet.id, 311]), new Map([[pet.id, sent]]))
    await keep({ tags: [{ id: 1, name: "a" }] })
    assert.deepEqual(await store.pets.sentIds([pet.id]), new Map([[pet.id, { tags: [{ id: 1, name: "a" }] }]]))
    await keep({ tags: [] })
    assert.deepEqual(await store.pets.sentIds([pet.id]), new Map())
    await keep(sent)
    await store.transaction((tx) => tx.pets.remove(pet.id))
    await added(pet)
    assert.deepEqual(await store.pets.sentIds([pet.id]), new Map())
  })

  test("repeated reads return the latest commit, for one pet and in lists", async () => {
    const [tag] = [...(await store.transaction((tx) => tx.pets.tagIds(["seen"])))].map(([name, id]) => ({ id, name }))
    const seen = async () => {
      const pages = [
        store.pets.byStatus(["sold"], { limit: 1, before: 651 }),
        store.pets.byTags(["seen"], { limit: 1, before: undefined }),
      ]
      const [one, ...listed] = [await store.pets.read(650), ...(await Promise.all(pages))]
      return new Set([`[${one?.json}]`, ...listed.map(({ json }) => json)].flatMap((json) => JSON.parse(json)[0]?.name))
    }
    for (let n = 0; n < 5; n++) {
      const pet = samplePet(650, { name: `name ${n}`, status: "sold", tags: tag ? [tag] : [] })
      await store.transaction(async (tx) => {
        if (n === 0) await tx.pets.add([pet])
        else await putPet(tx, pet)
        if (n > 0) for (let times = 0; times < 3; times++) assert.deepEqual(await seen(), new Set([`name ${n - 1}`]))
      })
      for (let times = 0; times < 3; times++) assert.deepEqual(await seen(), new Set([`name ${n}`]))
    }
    await store.transaction((tx) => tx.pets.remove(650))
    assert.equal(await store.pets.read(650), undefined)
  })

  test("concurrent changes of one locked pet are never lost", async () => {
    await added(samplePet(600, { name: "0" }))
    const increment = () =>
      store.transaction(async (tx) => {
        const { pet } = (await tx.pets.lock(600)) as LockedPet
        await putPet(tx, { ...pet, name: String(Number(pet.name) + 1) })
      })
    await Promise.all(Array.from({ length: 50 }, increment))
    assert.equal(JSON.parse((await store.pets.read(600))?.json ?? "").name, "50")
  })

  test("of concurrent additions of one id, exactly one succeeds", async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => added(samplePet(500, { name: `racer ${n}` }))),
    )
    const winners = results.filter((stored) => stored !== undefined)
    assert.equal(winners.length, 1)
    assert.deepEqual({ ...(await store.pets.read(500)) }, winners[0])
  })

  test("generated ids are unique, ascend, and skip those that clients chose", async () => {
    const first = theOnly(await store.transaction((tx) => tx.pets.nextIds(1)))
    for (const ahead of [1, 2, 3, 5]) await added(samplePet(first + ahead))
    await added(samplePet(idMax))
    const given = await Promise.all(
      Array.from({ length: 10 }, () =>
        store.transaction(async (tx) => {
          const id = theOnly(await tx.pets.nextIds(1))
          assert.ok(theOnly(await tx.pets.add([samplePet(id)])), `id ${id} was taken`)
          return id
        }),
      ),
    )
    given.sort((a, b) => a - b)
    assert.deepEqual(given.slice(0, 3), [first + 4, first + 6, first + 7])
    assert.equal(new Set(given).size, given.length)
    const next = theOnly(await store.transaction((tx) => tx.pets.nextIds(1)))
    assert.ok(next > (given.at(-1) as number))
    await store.transaction((tx) => tx.pets.continueIdsAfter(next + 20))
    assert.deepEqual(await store.transaction((tx) => tx.pets.nextIds(1)), [next + 21])
  })

  test("equal names share one id, even when many transactions add the same new name at once", async () => {
    const names = ["Chat", "chat", "Kat🐈", "貓", "é", "e\u0301"]
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => store.transaction((tx) => tx.pets.tagIds(names))),
    )
    for (const response of responses) assert.deepEqual(response, responses[0])
    assert.equal(new Set(responses[0]?.values()).size, names.length)
    assert.deepEqual([...(responses[0]?.keys() ?? [])].sort(), [...names].sort())
  })

  test("a name whose transaction was rolled back is new again, also for concurrent transactions", async () => {
    const failing = store.transaction(async (tx) => {
      await tx.pets.tagIds(["undone"])
      throw new Error("no")
    })
    const beside = store.transaction(async (tx) => {
      const [[name, id]] = [...(await tx.pets.tagIds(["undone"]))] as [[string, number]]
      return tx.pets.add([samplePet(660, { tags: [{ id, name }] })])
    })
    await assert.rejects(failing)
    assert.ok(await beside)
    const ids = await store.transaction((tx) => tx.pets.tagIds(["other", "undone"]))
    assert.equal(new Set(ids.values()).size, 2)
    assert.deepEqual(
      petsOf(await store.pets.byTags(["undone"], { limit: 10, before: undefined })).map(({ tags }) => tags),
      [[{ id: ids.get("undone"), name: "undone" }]],
    )
  })

  test("lists are newest first, filtered, paged without gaps or repetition, each pet once", async () => {
    const ids = await store.transaction((tx) => tx.pets.tagIds(["list-a", "list-b"]))
    const tags = [...ids].map(([name, id]) => ({ id, name }))
    for (let n = 0; n < 7; n++)
      await added(samplePet(700 + n, { tags: n % 2 ? tags : tags.slice(0, 1), status: n % 3 ? "sold" : "pending" }))

    const seen: number[] = []
    let before: number | undefined
    do {
      const page = await store.pets.byTags(["list-a", "list-b", "unknown"], { limit: 3, before })
      seen.push(...idsOf(page))
      before = page.next
    } while (before !== undefined)
    assert.deepEqual(seen, [706, 705, 704, 703, 702, 701, 700])

    const sold = await store.pets.byStatus(["sold"], { limit: 1000, before: 707 })
    assert.deepEqual(
      idsOf(sold).filter((id) => id >= 700),
      [705, 704, 702, 701],
    )
    assert.deepEqual((await store.pets.byTags(["list-b"], { limit: 3, before: undefined })).next, undefined)
    const both = await store.pets.byStatus(["pending", "sold"], { limit: 4, before: 707 })
    assert.deepEqual(idsOf(both), [706, 705, 704, 703])
  })

  test("a page of huge pets ends early and returns where the next one starts", async () => {
    const photoUrls = Array(50).fill("u".repeat(2048))
    for (let n = 0; n < 60; n++) await added(samplePet(2000 + n, { photoUrls, status: "pending" }))
    const ids: number[] = []
    let before: number | undefined = 2060
    while (before !== undefined && before > 2000) {
      const page: PetPage = await store.pets.byStatus(["pending"], { limit: 1000, before })
      assert.ok(Buffer.byteLength(page.json) <= pageBytesMax)
      ids.push(...idsOf(page))
      before = page.next
    }
    assert.deepEqual(
      ids.filter((id) => id >= 2000),
      Array.from({ length: 60 }, (_, n) => 2059 - n),
    )
  })

  test("a removed pet is in no list, and its tags can be used again", async () => {
    const ids = await store.transaction((tx) => tx.pets.tagIds(["fleeting"]))
    const tags = [...ids].map(([name, id]) => ({ id, name }))
    await added(samplePet(800, { tags }))
    await store.transaction((tx) => tx.pets.remove(800))
    assert.equal((await store.pets.byTags(["fleeting"], { limit: 10, before: undefined })).json, "[]")
    assert.equal(await store.pets.read(800), undefined)
    assert.ok(await added(samplePet(800, { tags })))
  })

  test("long runs of ids that clients chose are skipped, never generated, and cost few queries", async () => {
    const first = theOnly(await store.transaction((tx) => tx.pets.nextIds(1))) + 1
    await store.transaction(async (tx) => {
      for (let id = first; id < first + 1000; id++) await tx.pets.add([samplePet(id)])
    })
    const given = new Set<number>()
    for (let n = 0; n < 5; n++) {
      const id = theOnly(await store.transaction((tx) => tx.pets.nextIds(1)))
      assert.equal(await store.pets.read(id), undefined)
      assert.ok(id >= first + 1000 && id < first + 10_000, `${id}`)
      given.add(id)
    }
    assert.equal(given.size, 5)
  })

  test("pets added uncounted are in the inventory once they are counted, also by concurrent transactions in any order", async () => {
    const start = await store.pets.inventory()
    const statuses: PetStatus[] = ["available", "pending", "sold"]
    const addAll = (first: number, order: PetStatus[]) =>
      store.transaction(async (tx) => {
        const uncounted: StatusCounts = new Map()
        for (const [n, status] of order.entries()) {
          assert.ok(theOnly(await tx.pets.add([samplePet(first + n, { status })], 1, uncounted)))
          assert.deepEqual(await tx.pets.add([samplePet(first + n, { status })], 1, uncounted), [undefined])
        }
        assert.deepEqual([...uncounted.values()], [1, 1, 1])
        await tx.pets.count(uncounted)
      })
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => addAll(90_000 + n * 3, n % 2 === 0 ? statuses : statuses.toReversed())),
    )
    const after = await store.pets.inventory()
    for (const status of statuses) assert.equal(after[status] - start[status], 8)
  })

  test("pets changed or removed uncounted are noted, and the inventory follows once they are counted", async () => {
    for (const id of [92_001, 92_002, 92_003]) await added(samplePet(id, { status: "available" }))
    const start = await store.pets.inventory()
    await store.transaction(async (tx) => {
      const uncounted: StatusCounts = new Map()
      const { pet } = (await tx.pets.lock(92_001)) as LockedPet
      await tx.pets.put({ ...pet, status: "sold" }, pet, 1, uncounted)
      await tx.pets.put({ ...pet, name: "same status", status: "sold" }, { ...pet, status: "sold" }, 1, uncounted)
      await tx.pets.remove(92_002, uncounted)
      await tx.pets.remove(92_099, uncounted)
      assert.deepEqual(
        uncounted,
        new Map([
          ["available", -2],
          ["sold", 1],
        ]),
      )
      assert.deepEqual(await tx.pets.inventory(), start)
      await tx.pets.count(uncounted)
    })
    assert.deepEqual(await store.pets.inventory(), { ...start, available: start.available - 2, sold: start.sold + 1 })
  })

  test("a change that keeps the status notes nothing to count", async () => {
    await added(samplePet(92_010, { status: "sold" }))
    const uncounted: StatusCounts = new Map()
    await store.transaction(async (tx) => {
      const { pet } = (await tx.pets.lock(92_010)) as LockedPet
      await tx.pets.put({ ...pet, name: "renamed" }, pet, 1, uncounted)
    })
    assert.equal(uncounted.size, 0)
  })

  test("of pets added together, one whose id is taken is not added, and the others are", async () => {
    const [tag] = [...(await store.transaction((tx) => tx.pets.tagIds(["together"])))].map(([name, id]) => ({
      id,
      name,
    }))
    const pet = (id: number, name: string) => samplePet(id, { name, tags: tag ? [tag] : [] })
    await added(samplePet(93_002, { name: "before" }))
    const start = await store.pets.inventory()
    const pets = [pet(93_003, "c"), pet(93_001, "a"), pet(93_002, "taken"), pet(93_001, "again")]
    const stored = await store.transaction((tx) => tx.pets.add(pets))
    assert.deepEqual(
      stored.map((one) => one && JSON.parse(one.json)),
      [pets[0], pets[1], undefined, undefined],
    )
    assert.deepEqual(petsOf(await store.pets.byTags(["together"], { limit: 10, before: undefined })), [
      pets[0],
      pets[1],
    ])
    assert.equal(JSON.parse((await store.pets.read(93_002))?.json ?? "").name, "before")
    assert.deepEqual(await store.pets.inventory(), { ...start, available: start.available + 2 })
    assert.deepEqual(await store.transaction((tx) => tx.pets.add([])), [])
  })

  test("the inventory follows every addition, change and removal of pets, and a failed transaction leaves it unchanged", async () => {
    const start = await store.pets.inventory()
    const changed = (change: Partial<Record<PetStatus, number>>) =>
      Object.fromEntries(Object.entries(start).map(([status, n]) => [status, n + (change[status as PetStatus] ?? 0)]))
    await store.transaction(async (tx) => {
      for (const [id, status] of [
        [3001, "available"],
        [3002, "available"],
        [3003, "sold"],
      ] as const)
        await tx.pets.add([samplePet(id, { status })])
      assert.deepEqual(await tx.pets.add([samplePet(3003, { status: "available" })]), [undefined])
    })
    assert.deepEqual(await store.pets.inventory(), changed({ available: 2, sold: 1 }))
    await store.transaction(async (tx) => {
      await putPet(tx, samplePet(3001, { status: "pending" }))
      await putPet(tx, samplePet(3002, { status: "available" }))
      await tx.pets.remove(3003)
      await tx.pets.remove(3004)
    })
    assert.deepEqual(await store.pets.inventory(), changed({ available: 1, pending: 1 }))
    await assert.rejects(
      store.transaction(async (tx) => {
        await tx.pets.remove(3001)
        throw new Error("no")
      }),
    )
    assert.deepEqual(await store.pets.inventory(), changed({ available: 1, pending: 1 }))
  })

  test("ids of category names are separate from those of tags", async () => {
    const ids = (names: string[]) => store.transaction((tx) => tx.pets.categoryIds(names))
    const first = await ids(["Owls", "owls"])
    assert.equal(new Set(first.values()).size, 2)
    assert.deepEqual(await ids(["owls", "Owls"]), first)
  })

  test("unused names are deleted, a batch at a time, and receive new ids when they return", async () => {
    const tagIds = (names: string[]) => store.transaction((tx) => tx.pets.tagIds(names))
    const [last] = (await tagIds(["anchor"])).values()
    const ids = await tagIds(["carried", "idle 1", "idle 2"])
    const id = ids.get("carried") as number
    await added(samplePet(4000, { tags: [{ id, name: "carried" }] }))
    const category = (await store.transaction((tx) => tx.pets.categoryIds(["idle"]))).get("idle") as number

    const forget = (after: number, limit: number) =>
      store.transaction((tx) => tx.pets.forgetUnusedLabels("tags", after, limit))
    const reached = (await forget(last as number, 2)) as number
    assert.equal(reached, [...ids.values()].sort((a, b) => a - b)[1])
    assert.equal(await forget(reached, 2), undefined)

    const again = await tagIds(["carried", "idle 1", "idle 2"])
    assert.equal(again.get("carried"), id)
    for (const name of ["idle 1", "idle 2"]) assert.ok((again.get(name) ?? 0) > Math.max(...ids.values()), name)
    assert.equal((await store.transaction((tx) => tx.pets.categoryIds(["idle"]))).get("idle"), category)
  })
}

const petsOf = ({ json }: PetPage): Pet[] => JSON.parse(json)
const idsOf = (page: PetPage): number[] => petsOf(page).map(({ id }) => id)

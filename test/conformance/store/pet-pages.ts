import assert from "node:assert/strict"
import { before, test } from "node:test"
import { type Pet, PetStatus } from "../../../src/core/domain/pets/contract.ts"
import type { PetPage } from "../../../src/core/domain/pets/store.ts"
import { pageBytesMax } from "../../../src/core/kernel/endpoint/page.ts"
import { json } from "../../../src/core/kernel/json/json.ts"
import { effort } from "../../harness/effort.ts"
import { type OpenStore, samplePet, useStore } from "./samples.ts"

const pets = 700
const hugeFrom = 600

/** Pages of pets, byte for byte. */
export function testPetPages(open: OpenStore): void {
  const store = useStore(open)
  const all: { pet: Pet; text: string }[] = []
  before(async () => {
    await store.transaction(async (tx) => {
      const ids = await tx.pets.tagIds(["even", "third"])
      const tag = (name: string) => ({ id: ids.get(name) as number, name })
      for (let id = 1; id <= pets; id++) {
        const pet = samplePet(id, {
          name: `",{"id":${id - 1}}],\n\\ Żółw 🐢`,
          status: PetStatus.enum[((id * 7) % 11) % 3] as Pet["status"],
          tags: [...(id % 2 === 0 ? [tag("even")] : []), ...(id % 3 === 0 ? [tag("third")] : [])],
          photoUrls: id > hugeFrom ? Array(40).fill("u".repeat(2000)) : [],
        })
        await tx.pets.add([pet])
        all.unshift({ pet, text: json(pet) })
      }
    })
  })

  /** The expected page: newest first, up to the limit or the pet with which it would be too large. */
  function expected(wanted: (pet: Pet) => boolean, limit: number, below = pets + 1): PetPage {
    const rest = all.filter(({ pet }) => pet.id < below && wanted(pet))
    const texts: string[] = []
    let bytes = "[".length
    for (const { text } of rest.slice(0, limit)) {
      bytes += Buffer.byteLength(text) + ",".length
      if (bytes > pageBytesMax) break
      texts.push(text)
    }
    return {
      json: `[${texts.join(",")}]` as PetPage["json"],
      next: texts.length < rest.length ? rest[texts.length - 1]?.pet.id : undefined,
    }
  }

  /** The page without the texts of its pets, which are those of the page if the store keeps them. */
  function textsOf({ texts, ...page }: PetPage): PetPage {
    if (texts) assert.equal(`[${texts.map(({ text }) => text).join(",")}]`, page.json)
    return page
  }

  // Most of the many pages are as large as a page may be.
  const isThorough = effort(1, 0) > 0
  const belows = [undefined, hugeFrom + 20, hugeFrom, 101, 1, ...(isThorough ? [pets + 1, 250, 102, 2] : [])]
  const limits = [1, 100, 101, 1000, ...(isThorough ? [2, 99, 250] : [])]

  test("a page by status is the stored texts, to the byte, and ends where the next one starts", async () => {
    for (const statuses of [["available"], ["sold", "pending"], ["sold", "sold"], PetStatus.enum] as const)
      for (const limit of limits)
        for (const before of belows)
          assert.deepEqual(
            textsOf(await store.pets.byStatus(statuses, { limit, before })),
            expected(({ status }) => (statuses as readonly string[]).includes(status), limit, before),
            `${statuses}, ${limit} below ${before}`,
          )
  })

  test("a page by tags is the stored texts, to the byte, and ends where the next one starts", async () => {
    for (const names of [["even"], ["even", "third"], ["third", "unknown"], ["unknown"]])
      for (const limit of limits)
        for (const before of belows)
          assert.deepEqual(
            textsOf(await store.pets.byTags(names, { limit, before })),
            expected(({ tags }) => tags.some(({ name }) => names.includes(name)), limit, before),
            `${names}, ${limit} below ${before}`,
          )
  })

  test("a page of pets of very different lengths is cut at 1 MiB, and following it returns each pet once", async () => {
    const seen: number[] = []
    let before: number | undefined
    do {
      const page = await store.pets.byStatus(PetStatus.enum, { limit: 1000, before })
      assert.ok(Buffer.byteLength(page.json) <= pageBytesMax)
      seen.push(...(JSON.parse(page.json) as Pet[]).map(({ id }) => id))
      before = page.next
    } while (before !== undefined)
    assert.deepEqual(
      seen,
      all.map(({ pet }) => pet.id),
    )
  })
}

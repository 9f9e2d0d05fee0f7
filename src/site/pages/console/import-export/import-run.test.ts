import assert from "node:assert/strict"
import { test } from "node:test"
import type { PetDraft } from "../../../../domain/pets/contract.ts"
import { Problem } from "../../../../kernel/problem.ts"
import type { Drafted } from "../../../../pet-files/draft.ts"
import type { Line } from "../../../../pet-files/lines.ts"
import type { Call } from "../call.ts"
import { addEach, check, type Progress, takePets } from "./import-run.ts"

type Entry = { line: Line } & Drafted

const lineOf = (number: number): Line => ({ number, bytes: Buffer.from(`line ${number}`), isUnended: false })
const pet = (number: number, more: Partial<PetDraft> = {}): Entry => ({
  line: lineOf(number),
  draft: { name: `Pet ${number}`, photoUrls: [], ...more },
})
const refused = (number: number): Entry => ({
  line: lineOf(number),
  rejection: { code: "malformed-json", detail: "The line is not valid JSON" },
})
async function* listed(count: number, make: (number: number) => Entry): AsyncGenerator<Entry> {
  for (let number = 1; number <= count; number++) yield make(number)
}

type Target = Parameters<typeof takePets>[1]

/** Takes pets; returns the counts after each step, and the end. */
async function run(lines: AsyncIterable<Entry>, target: Partial<Target> = {}) {
  const steps: string[] = []
  let pages = 0
  let last: Progress | undefined
  const countPage = async () => void pages++
  const failure = await (async () => {
    for await (const progress of takePets(lines, { ...check, countPage, ...target })) {
      last = progress
      steps.push(`${progress.added} ${progress.before} ${progress.refused}`)
    }
  })().catch((error: Problem) => error.detail)
  return { steps, pages, last, failure }
}

test("pets are taken in groups of twenty lines, with the counts at the start and after each", async () => {
  assert.deepEqual((await run(listed(0, pet))).steps, ["0 0 0"])
  assert.deepEqual((await run(listed(20, pet))).steps, ["0 0 0", "20 0 0"])
  assert.deepEqual((await run(listed(21, (n) => (n % 7 ? pet(n) : refused(n))))).steps, ["0 0 0", "18 0 2", "18 0 3"])
})

test("the first five pets are samples", async () => {
  const samples = async (count: number) => (await run(listed(count, pet))).last?.samples.map(({ name }) => name).join()
  assert.equal(await samples(3), "Pet 1,Pet 2,Pet 3")
  assert.equal(await samples(45), "Pet 1,Pet 2,Pet 3,Pet 4,Pet 5")
})

test("each further thousand pets is a page of the plan", async () => {
  for (const [count, pages] of [
    [1000, 0],
    [1001, 1],
    [2000, 1],
    [2020, 2],
  ] as const)
    assert.equal((await run(listed(count, pet))).pages, pages, String(count))
})

test("a refused line is reported with its number, and one that the service refuses, too", async () => {
  const take = async ({ name }: PetDraft) => {
    if (name === "Pet 2") throw new Problem("pet-exists", "There is a pet with this id")
    return name === "Pet 3" ? ("before" as const) : ("added" as const)
  }
  const { steps, last } = await run(
    listed(4, (n) => (n === 1 ? refused(n) : pet(n))),
    { take },
  )
  assert.deepEqual(steps, ["0 0 0", "1 1 2"])
  assert.deepEqual(last?.report, [
    { line: 1, code: "malformed-json", detail: "The line is not valid JSON", text: "line 1" },
    { line: 2, code: "pet-exists", detail: "There is a pet with this id", text: "line 2" },
  ])
  for (const code of ["invalid-body", "idempotency-key-in-use", "idempotency-key-reused"] as const)
    assert.equal((await run(listed(1, pet), { take: () => Promise.reject(new Problem(code, "No")) })).last?.refused, 1)
  const ended = await run(listed(1, pet), { take: () => Promise.reject(new Problem("unavailable", "Ended")) })
  assert.deepEqual([ended.failure, ended.last?.refused], ["Ended", 0])
})

test("an import ends at 5,000 refused lines", async () => {
  // The last one is within a group.
  const many = await run(listed(5020, (n) => (n === 1 ? pet(n) : refused(n))))
  assert.equal(many.failure, "5000 lines were refused. Correct the file and import it again")
  assert.deepEqual([many.last?.refused, many.last?.report.length], [5000, 5000])
  assert.equal((await run(listed(4999, refused))).failure, undefined)
})

test("a pet has the same mark in every format, and another for each repetition", async () => {
  const marksOf = async (...drafts: PetDraft[]) => {
    const taken: [PetDraft, string][] = []
    const take: Target["take"] = async (draft, mark) => {
      taken.push([draft, mark])
      return "added"
    }
    await run(
      listed(drafts.length, (n) => ({ line: lineOf(n), draft: drafts[n - 1] as PetDraft })),
      { take },
    )
    return taken
  }
  const plain = { name: "Rex", photoUrls: [] }
  const full: PetDraft = { name: "Rex", photoUrls: [], id: 0, status: "available", tags: [] }
  const [[draft, mark] = []] = await marksOf(plain)
  assert.deepEqual(draft, { name: "Rex", status: "available", tags: [], photoUrls: [] })
  assert.deepEqual((await marksOf(full)).at(0)?.[1], mark)
  const twice = await marksOf(plain, plain)
  assert.notEqual(twice[0]?.[1], twice[1]?.[1])
  const [[other] = []] = await marksOf({ ...plain, id: 7, category: { name: "Dogs" }, tags: [{ name: "a" }] })
  assert.deepEqual(other, {
    id: 7,
    name: "Rex",
    category: { name: "Dogs" },
    status: "available",
    tags: [{ name: "a" }],
    photoUrls: [],
  })
})

test("a preview adds nothing, and a repeated import adds no pet twice unless it is asked to", async () => {
  assert.equal(await check.take({ name: "Rex", photoUrls: [] }, "m"), "added")
  await check.countPage()
  const sent: unknown[] = []
  const addPet = async (request: unknown) => {
    sent.push(request)
    return { isReplayed: sent.length > 1 }
  }
  const call = { addPet } as unknown as Call
  const draft = { id: 7, name: "Rex", photoUrls: [] }
  assert.equal(await addEach(call, { isAgain: false, hasNewIds: false })(draft, "m"), "added")
  assert.equal(await addEach(call, { isAgain: false, hasNewIds: true })(draft, "m"), "before")
  await addEach(call, { isAgain: true, hasNewIds: true })(draft, "m")
  assert.deepEqual(sent, [
    { body: draft, idempotencyKey: "console-import-m" },
    { body: { ...draft, id: 0 }, idempotencyKey: "console-import-new-ids-m" },
    { body: { ...draft, id: 0 }, idempotencyKey: undefined },
  ])
})

// Runs alone.
import assert from "node:assert/strict"
import { test } from "node:test"
import { addressOf, appoint, consolePages, signedIn } from "../harness/console.ts"
import { addMany } from "../harness/many-rows.ts"
import { startPetstore } from "../harness/petstore.ts"

const counts = { few: 1_500, many: 150_000 }
const rounds = 5
/** Maximum ratio of times with a hundred times the rows; a page that scans a table would take a hundred times as long. */
const ratioMax = 2
const slackMs = 2

/** Every page, and lists with typical filters. */
const addresses = [
  ...consolePages.map(addressOf),
  ...["/pets?name=many%201", "/pets?status=available&category=Cats", "/pets?sort=-name", "/orders?status=placed"],
  ...[
    "/orders?petId=1500",
    "/events?kind=order.placed",
    "/audit?action=key.created",
    "/audit?thing=key%3A7",
    "/audit?principal=key%3A1",
  ],
  ...["/audit?since=2026-01-01T00%3A00"],
  ...["1500", "many%201", "many-1500", "nothing", ""].map((text) => `/../search?q=${text}`),
  ...["/pets/2000", "/events?petId=2000"],
]

async function open(count: number) {
  const petstore = await startPetstore()
  await appoint(petstore)
  addMany(petstore.databaseFile, count)
  return { petstore, admin: await signedIn(petstore, "admin") }
}

test("no page of the console takes longer with a hundred times the rows", async () => {
  const [few, many] = [await open(counts.few), await open(counts.many)]
  await using _few = few.petstore
  await using _many = many.petstore
  const times = new Map<string, { few: number[]; many: number[] }>(
    addresses.map((path) => [path, { few: [], many: [] }]),
  )
  for (let round = 0; round < rounds; round++)
    for (const [path, samples] of times) {
      samples.few.push(await timeOf(few.admin, path))
      samples.many.push(await timeOf(many.admin, path))
    }
  const slow = [...times].flatMap(([path, samples]) => {
    const [one, other] = [shortestOf(samples.few), shortestOf(samples.many)]
    return other <= one * ratioMax + slackMs
      ? []
      : [`${path} takes ${other.toFixed(1)} ms, and ${one.toFixed(1)} ms with few rows`]
  })
  assert.deepEqual(slow, [])
  assert.match((await many.admin.go("/console/pets?name=many%201")).html, /Many 1<.*Many 10</s)
  assert.match((await many.admin.go("/console/events")).html, /Many 150000</)
})

async function timeOf(visitor: Awaited<ReturnType<typeof signedIn>>, path: string): Promise<number> {
  const startedAt = performance.now()
  const { status } = await visitor.go(`/console${path === "/" ? "" : path}`)
  assert.ok(status === 200 || status === 404, `${path} is ${status}`)
  return performance.now() - startedAt
}

/** Other load on the machine only adds to a time. */
const shortestOf = (times: number[]): number => Math.min(...times)

import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Stock } from "../contestants/contestant.ts"
import { startPetstore, unlimited } from "../contestants/petstore.ts"
import { fill } from "../load/fill.ts"
import type { Load, Sample } from "../load/wrk.ts"
import type { ServerProcess } from "../machine/server-process.ts"
import { type Spread, spreadOf } from "../statistics.ts"
import { type Cell, ratios, runRounds, type Series, throughput } from "./rounds.ts"

const sizes = { few: 10, many: 10_000, most: 1_000_000 } as const
/** Number of seed pets in the sandbox, and of pets in each request that adds more. */
const [pets, petsEach] = [10, 90]

const lists = {
  "by status": "/api/v3/pet/findByStatus?status=available",
  "by three statuses": "/api/v3/pet/findByStatus?status=available,pending,sold",
  "by tag": "/api/v3/pet/findByTags?tags=friendly",
  "by two tags": "/api/v3/pet/findByTags?tags=friendly,shy",
  "all, oldest first": "/api/v3/pet?sort=id",
  "by tag and status": "/api/v3/pet?tag=friendly&status=sold",
  "by category and status": "/api/v3/pet?category=Dogs&status=available,pending",
  "by name": "/api/v3/pet?name=d&sort=-name",
} as const

export type Growth = {
  /** Ratio of a request's time with a million pets to its time with ten thousand. */
  lists: Record<string, Spread>
  /** Ratio of requests per second for random pets with a million pets to those with ten. */
  reads: Spread
}

/** Measures how reads depend on the number of pets: three otherwise identical services, measured in turn. */
export async function measureGrowth(stock: Stock, rounds: number, load: Load): Promise<Growth> {
  await using opened = new AsyncDisposableStack()
  const servers = new Map<keyof typeof sizes, ServerProcess>()
  for (const [size, count] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
    process.stderr.write(`  filling a store with ${count.toLocaleString("en")} pets\n`)
    servers.set(size, await serverWith(count, size, stock))
    opened.defer(async () => servers.get(size)?.stop())
  }
  const cells = [...servers].flatMap(([size, { pid, url }]): Cell[] => [
    {
      name: `read ${size}`,
      pid,
      target: { url, headers: unlimited, mode: () => ["random", "/api/v3/pet/", String(sizes[size])] },
    },
    ...(size === "few" ? [] : Object.entries(lists)).map(([name, path]) => ({
      name: `${name} ${size}`,
      pid,
      target: { url: url + path, headers: unlimited },
    })),
  ])
  const series = new Map((await runRounds(cells, rounds, load)).map((each) => [each.name, each]))
  const compare = (a: string, b: string, of: (sample: Sample) => number) =>
    spreadOf(ratios(series.get(a) as Series, series.get(b) as Series, of))
  return {
    reads: compare("read most", "read few", throughput),
    lists: Object.fromEntries(
      Object.keys(lists).map((name) => [
        name,
        compare(`${name} most`, `${name} many`, ({ requestsPerSecond }) => 1 / requestsPerSecond),
      ]),
    ),
  }
}

async function serverWith(count: number, name: string, { directory, file }: Stock): Promise<ServerProcess> {
  const dataDir = join(directory, `growth-${name}`)
  mkdirSync(dataDir)
  const filling = await startPetstore(dataDir)
  if (count > pets) await fill(`${filling.url}/api/v3/pets/import`, unlimited, file, count - pets, petsEach)
  await filling.stop()
  // Loads all files into the page cache: the speed of the disk would say nothing about the service.
  for (const file of readdirSync(dataDir).filter((name) => name.includes(".db"))) readFileSync(join(dataDir, file))
  return startPetstore(dataDir)
}

// Measures the service and its contestants and writes docs/performance. Run: npm run bench, or npm run bench -- full;
// npm run bench -- replicas measures several replicas only, and keeps the other results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fresh, others, ours, restarted } from "./contestants/all.ts"
import { startBare } from "./contestants/bare.ts"
import { startCluster, withoutCluster } from "./contestants/cluster.ts"
import type { Running, Stock } from "./contestants/contestant.ts"
import { missingTools } from "./load/wrk.ts"
import { compareContestants } from "./measures/compare-contestants.ts"
import { measureEveryKind } from "./measures/every-kind.ts"
import { measureFirstUse } from "./measures/first-use.ts"
import { measureGrowth } from "./measures/growth.ts"
import { installedMebibytes } from "./measures/installed-size.ts"
import { measureReplicas } from "./measures/replicas.ts"
import {
  firstUseTargets,
  growthTargets,
  kindTargets,
  latencyTargets,
  memoryTarget,
  sizeTarget,
  startTargets,
  throughputTargets,
} from "./measures/targets.ts"
import { generatePets } from "./pets.ts"
import { writeReport } from "./report/write.ts"
import { commitOf, describeMachine, type ReplicaFigure, type Results, warnOfForeignLoad } from "./results.ts"

const modes = {
  quick: { rounds: 3, seconds: 1, latencyRounds: 3, starts: 5, pets: 25_000, growth: false },
  full: { rounds: 7, seconds: 2, latencyRounds: 5, starts: 11, pets: 25_000, growth: true },
} as const

const root = join(import.meta.dirname, "..")
const published = join(root, "docs", "performance")
const mode = process.argv[2] === "full" ? "full" : "quick"
const { rounds, seconds, latencyRounds, starts, pets, growth } = modes[mode]
const load = { connections: 32, seconds }

const missing = missingTools()
if (missing) {
  process.stderr.write(`${missing}\n`)
  process.exit(1)
}

const directory = mkdtempSync(join(tmpdir(), "petstore-bench-"))
const file = join(directory, "pets.jsonl")
writeFileSync(file, [...generatePets(pets)].map((pet) => `${JSON.stringify(pet)}\n`).join(""))
const stock: Stock = { directory, file, count: pets }

try {
  const results = process.argv[2] === "replicas" ? await measureReplicasAgain() : await measureAll()
  writeReport(published, results, new Set(ours.map(({ name }) => name)))
  for (const { measure, value, unit } of results.targets)
    process.stdout.write(`${measure}: ${value.median.toFixed(2)}${unit}\n`)
} finally {
  rmSync(directory, { recursive: true })
}

async function measureAll(): Promise<Results> {
  await using opened = new AsyncDisposableStack()
  const running = new Map<string, Running>()
  const skipped = new Map<string, string>()
  for (const contestant of [...ours, ...others]) {
    report(`${contestant.name}: starting with ${pets.toLocaleString("en")} pets`)
    try {
      const server = await contestant.start(stock)
      opened.defer(server.stop)
      running.set(contestant.name, server)
    } catch (error) {
      if (ours.includes(contestant)) throw error
      const [reason = ""] = (error as Error).message.split("\n")
      skipped.set(contestant.name, reason)
      report(`SKIPPED: ${contestant.name}: ${reason}`)
    }
  }
  const service = running.get(fresh.name) as Running
  const bare = await startBare(service, directory)
  opened.defer(bare.stop)

  report("throughput")
  const figures = await compareContestants(bare, running, rounds, load)
  report("latency")
  const latency = await latencyTargets(bare, service, latencyRounds, load, file)
  const memory = memoryTarget(service)
  report("every kind of request")
  const kinds = await measureEveryKind(service, latencyRounds, load, stock)
  await opened.disposeAsync()

  report("start")
  const start = await startTargets(restarted.dataDir(stock), starts)
  report("first use")
  const firstUse = await measureFirstUse(restarted.dataDir(stock), latencyRounds)
  const replicas = withoutCluster || (await measureCluster())
  const date = new Date().toISOString().slice(0, 10)
  const commit = commitOf(root)
  if (growth) report("growth")
  const grown = growth ? growthTargets(await measureGrowth(stock, latencyRounds, load)) : []

  const named = [["bare", "bare node:http"], ...[...ours, ...others].map(({ name }) => [name, name])] as [
    string,
    string,
  ][]
  return {
    mode,
    date,
    commit,
    machine: describeMachine(),
    rounds,
    secondsEach: seconds,
    pets,
    contestants: named.map(([key, name]) => ({
      name,
      ...(skipped.has(key) && { skipped: skipped.get(key) as string }),
      figures: figures.get(key) ?? {},
    })),
    kinds,
    targets: [
      ...throughputTargets(figures.get(fresh.name) ?? {}),
      ...kindTargets(kinds),
      ...latency,
      ...firstUseTargets(firstUse),
      ...grown,
      memory,
      sizeTarget(installedMebibytes(root)),
      ...start,
    ],
    replicas,
    replicasMeasured: { date, commit },
    notes: [
      ...(growth ? [] : ["A quick run: few rounds, and no measurements with a million pets."]),
      ...warnOfForeignLoad([...figures.values()], rounds),
    ],
  }
}

/** The published results, with new ones of several replicas. */
async function measureReplicasAgain(): Promise<Results> {
  if (withoutCluster) throw new Error(withoutCluster)
  const results = JSON.parse(readFileSync(join(published, "results.json"), "utf8")) as Results
  const replicas = await measureCluster()
  const replicasMeasured = { date: new Date().toISOString().slice(0, 10), commit: commitOf(root) }
  return { ...results, replicas, replicasMeasured }
}

async function measureCluster(): Promise<ReplicaFigure[]> {
  report("replicas")
  const cluster = await startCluster(stock)
  try {
    return await measureReplicas(cluster, rounds, load)
  } finally {
    await cluster.stop()
  }
}

function report(progress: string): void {
  process.stderr.write(`${progress}\n`)
}

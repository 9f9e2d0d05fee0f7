import { execFile } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Client } from "pg"
import { onLoadCore } from "../machine/cores.ts"
import type { Load, Sample } from "./wrk.ts"

const run = promisify(execFile)
const table = "bench_rows"
const connections = 64

/** The floor of a create: a row of the size of a pet, inserted alone in a transaction, over as many connections as creates use. */
export async function singleRowInserts(url: string, directory: string): Promise<(load: Load) => Promise<Sample>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `CREATE TABLE ${table} (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL)`,
  )
  await client.end()
  const script = join(directory, "insert.sql")
  writeFileSync(script, `INSERT INTO ${table} (name, json) VALUES ('Rex', '${"x".repeat(400)}');\n`)
  return ({ seconds }) => runPgbench(url, script, seconds, join(directory, "pgbench"))
}

async function runPgbench(url: string, script: string, seconds: number, log: string): Promise<Sample> {
  const load = ["-n", "-M", "prepared", "-c", `${connections}`, "-j", "2", "-T", `${seconds}`, "-f", script]
  const [command, args] = onLoadCore("pgbench", ...load, "-l", `--log-prefix=${log}`, url)
  const { stdout } = await run(command, args)
  const latencies = takeLatencies(log)
  return {
    requests: latencies.length,
    requestsPerSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]),
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] as number,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] as number,
    processorUs: 0,
  }
}

/** The latencies of a run in milliseconds, ascending, from pgbench's log, which is removed: the third field of each line, in µs. */
function takeLatencies(prefix: string): number[] {
  const directory = join(prefix, "..")
  const files = readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => path.startsWith(`${prefix}.`))
  const lines = files.flatMap((file) => readFileSync(file, "utf8").trim().split("\n"))
  for (const file of files) rmSync(file)
  return lines.map((line) => Number(line.split(" ")[2]) / 1000).sort((a, b) => a - b)
}

import { writeFileSync } from "node:fs"
import { loadavg } from "node:os"
import { join } from "node:path"
import { type DefectId, defectIds } from "../../src/parts/sandbox/defects/contract.ts"
import { type Judgement, judge, reportsIn } from "../../src/parts/sandbox/defects/scoring/score.ts"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { describeOccasion, type Finding, readPart, type Skipped, type ToolResult, writePart } from "./published.ts"
import { runAgainstDefects } from "./tool-runs.ts"
import { type TestingTool, tools, unsuited } from "./tools.ts"

/** Longer than a run of the slowest. */
const timeoutMs = 3_600_000

/**
 * Runs each tool against each defect alone, and against none, one after the other: a busy machine makes them see faults that are not there.
 * With names, those only; of the others the results are kept. Writes after each tool.
 */
export async function measureDefects(url: string, names: readonly string[]): Promise<void> {
  using folder = temporaryDirectory()
  writeFileSync(join(folder.path, "postman.json"), await (await fetch(`${url}/api/v3/postman.json`)).text())
  const interrupted = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interrupted.abort(new Error("interrupted")))
  for (const tool of tools.filter(({ name }) => names.length === 0 || names.includes(name)))
    try {
      record(await measureTool(tool, url, folder.path, interrupted.signal))
    } catch (error) {
      if (interrupted.signal.aborted) throw error
      record({ name: tool.name, reason: (error as Error).message.split("\n")[0] ?? "" })
    }
}

/** Replaces what was measured of the tool before. Of tools and defects that are gone nothing is kept. */
function record(result: ToolResult | Skipped): void {
  const { tools: earlier, skipped } = readPart("defects") ?? { tools: [], skipped: [] }
  const kept = earlier.map(({ findings, ...tool }) => ({
    ...tool,
    findings: findings.filter(({ defect }) => categoryOf(defect as DefectId) !== ""),
  }))
  const now = "findings" in result ? { measured: [result], failed: [] } : { measured: [], failed: [result] }
  writePart("defects", {
    tools: inOrder(now.measured, kept, result.name),
    skipped: [...inOrder(now.failed, skipped, result.name), ...unsuited],
  })
}

/** With the new one instead of the earlier one, in the order of the tools. */
const inOrder = <T extends { name: string }>(now: readonly T[], earlier: readonly T[], replaced: string): T[] =>
  tools.flatMap(({ name }) => (name === replaced ? now : earlier).filter((one) => one.name === name))

const categoryOf = (defect: DefectId): string =>
  Object.entries(defectIds).find(([, ids]) => (ids as readonly string[]).includes(defect))?.[0] ?? ""

async function measureTool(tool: TestingTool, url: string, folder: string, signal: AbortSignal): Promise<ToolResult> {
  const { name, install, given, command } = tool
  process.stderr.write(`defects: ${name}\n`)
  const path = await install()
  const version = await tool.version(path)
  const environment = {
    ...process.env,
    PATH: `${path}:${process.env.PATH}`,
    TOOL: path,
    FOLDER: folder,
    PORT: "21050",
    NODE: process.execPath,
    REPORTS: join(import.meta.dirname, "reports"),
  }
  const args = ["-c", `cd $(mktemp -d); trap 'rm -rf "$PWD"' EXIT; ${command}`]
  const runs = await runAgainstDefects(`${name} ${version}`.trim(), {
    url,
    command: "bash",
    args,
    timeoutMs,
    signal,
    environment,
    stdio: "ignore",
  })
  return {
    name,
    version,
    ...describeOccasion(),
    command,
    given,
    seconds: Math.round(runs.seconds),
    load: Math.round(loadavg()[1] ?? 0),
    withoutDefect: reportsIn(runs.clean),
    findings: [...runs.withDefect].map(([defect, run]) => findingOf(judge(defect, runs.clean, run))),
  }
}

function findingOf({ defect, outcome, by }: Judgement): Finding {
  return { defect, category: categoryOf(defect), outcome, ...(by.length > 0 && { by: by.slice(0, 3) }) }
}

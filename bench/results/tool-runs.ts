import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type DefectId, defectIds } from "../../src/parts/sandbox/defects/contract.ts"
import { runTool } from "../../src/parts/sandbox/defects/scoring/run-tool.ts"
import { mergeRuns, type ToolRun } from "../../src/parts/sandbox/defects/scoring/score.ts"
import { sourceOf } from "../results.ts"
import { isOf } from "../verify/reliability.ts"

type Tool = Parameters<typeof runTool>[0]

/** The runs of a tool: both without a defect as one, and one with each. */
type ToolRuns = { clean: ToolRun; withDefect: ReadonlyMap<DefectId, ToolRun>; seconds: number }

/** A run as it is kept, by the name of its defect, or of one of the two without. */
type Kept = { name: string; code: number; failures?: string[]; seconds: number }

const root = join(import.meta.dirname, "..", "..")

/**
 * Runs a tool, by its name and version, twice without a defect, because the requests of some are random, and once with each. Each run
 * is kept until all have ended, so that a measurement that is interrupted after hours continues when it is started again, if source and
 * command are the same.
 */
export async function runAgainstDefects(name: string, tool: Tool): Promise<ToolRuns> {
  const file = join(root, "node_modules", ".cache", "results", `${name}.json`)
  const kept = openKept(file, sourceOf(root), tool.args.join(" "))
  const runOnce = async (of: string, defects: DefectId[]): Promise<ToolRun> => {
    const start = performance.now()
    const { code, failures } = kept.find(of) ?? kept.add(of, start, await runTool(tool, defects))
    return { code, failures: failures && new Set(failures) }
  }

  const clean = mergeRuns(await runOnce("without", []), await runOnce("without again", []))
  const withDefect = new Map<DefectId, ToolRun>()
  for (const id of Object.values(defectIds).flat()) withDefect.set(id, await runOnce(id, [id]))
  return { clean, withDefect, seconds: kept.end() }
}

function openKept(file: string, source: string, command: string) {
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
  const runs: Kept[] = earlier && isOf(earlier, source) && earlier.command === command ? earlier.runs : []
  return {
    find: (name: string) => runs.find((run) => run.name === name),
    add(name: string, start: number, { code, failures }: ToolRun): Kept {
      const seconds = (performance.now() - start) / 1000
      const run = { name, code, ...(failures && { failures: [...failures] }), seconds }
      runs.push(run)
      mkdirSync(dirname(file), { recursive: true })
      // Whole at any time, also when this is interrupted.
      writeFileSync(`${file}.new`, JSON.stringify({ source, command, runs }))
      renameSync(`${file}.new`, file)
      process.stderr.write(`  ${name}: ${seconds.toFixed(0)} s\n`)
      return run
    },
    /** Keeps nothing more; returns the time of all runs. */
    end(): number {
      rmSync(file, { force: true })
      return runs.reduce((sum, { seconds }) => sum + seconds, 0)
    },
  }
}

import { readFileSync } from "node:fs"
import { isOn, type OwnCommand, one, UsageError, type World } from "../../../cli/command/command.ts"
import { createTable } from "../../../cli/output/table.ts"
import { findNearest } from "../../../core/kernel/did-you-mean.ts"
import { type DefectId, defectIds } from "../defects/contract.ts"
import { type Judgement, judge, mergeRuns, reportsIn, type ToolRun } from "../defects/scoring/score.ts"

const all: readonly string[] = Object.values(defectIds).flat()

export const runDefects: OwnCommand = {
  name: "defects run",
  summary: "Measure which defects a tool that tests APIs finds",
  description:
    "Runs a command twice against a new sandbox without a defect, and then against one for each defect of docs/defects.md. Its environment has " +
    "TEST_URL, TEST_OPENAPI (the address of the description of all operations), TEST_KEY (for everything), TEST_LIMITED_KEY (60 requests a " +
    "minute), TEST_READER_KEY (may only read pets), TEST_USER_TOKEN (of a customer), and TEST_REPORT: a file for JUnit XML, HAR or Newman's " +
    "JSON. A defect is found when an operation fails a check with a status that it does not have without the defect; " +
    "without a report, when the exit code is not 0.",
  endsItself: true,
  flags: [
    { name: "only", value: "IDS", meaning: "Only these defects, separated by commas" },
    { name: "timeout", value: "SECONDS", meaning: "How long a run may take; 120 by default" },
    { name: "output", meaning: "Show the output of the command" },
  ],
  rest: { name: "command", meaning: "The command and its arguments, after --" },
  async run(input, world) {
    const [command, ...args] = input.rest
    if (command === undefined)
      throw new UsageError("the command is missing: petstore defects run -- schemathesis run …")
    const only = one(input, "only")
    const ids = only === undefined ? (all as DefectId[]) : only.split(",").map(toDefect)
    const timeoutMs = Number(one(input, "timeout") ?? 120) * 1000
    if (!(timeoutMs > 0)) throw new UsageError("--timeout must be a number of seconds")
    const { service, interrupted: signal, environment, terminal } = world
    const stdio = isOn(input, "output") ? ("inherit" as const) : ("ignore" as const)
    // Loaded here because no other command needs it.
    const { runTool } = await import("../defects/scoring/run-tool.ts")
    const run = (defects: DefectId[]) =>
      runTool({ url: service.url, command, args, timeoutMs, signal, environment, stdio }, defects)
    terminal.err("without a defect …\n")
    // Twice, because the requests of some tools are random.
    const clean = mergeRuns(await run([]), await run([]))
    const findings: Judgement[] = []
    for (const [n, id] of ids.entries()) {
      const finding = judge(id, clean, await run([id]))
      findings.push(finding)
      terminal.err(`${n + 1} of ${ids.length}  ${id}  ${finding.outcome}\n`)
    }
    print(findings, clean, world)
    return 0
  },
}

export const scoreDefects: OwnCommand = {
  name: "defects score",
  summary: "Judge the reports of a tool that tests APIs: what it found and missed",
  description:
    "Takes the report of a run without a defect, and one for each defect: --clean clean.xml --report emoji-fails=emoji.xml. Reports are JUnit " +
    "XML, HAR or Newman's JSON.",
  flags: [
    { name: "clean", value: "FILE", required: true, meaning: "The report of a run without a defect" },
    { name: "report", value: "ID=FILE", required: true, many: true, meaning: "The report of a run with this defect" },
  ],
  async run(input, world) {
    const { failuresIn } = await import("../defects/scoring/reports.ts")
    const [clean, reports] = [one(input, "clean"), input.flags.report]
    if (clean === undefined || !reports) throw new UsageError("--clean and --report are required")
    const read = (file: string): ToolRun => {
      try {
        return { code: 0, failures: failuresIn(readFileSync(file, "utf8")) }
      } catch (error) {
        throw new UsageError(`${file} cannot be read as a report: ${(error as Error).message}`)
      }
    }
    const without = read(clean)
    const findings = reports.map((given) => {
      const [, id = "", file = ""] = /^([^=]*)=(.+)$/.exec(String(given)) ?? []
      if (file === "") throw new UsageError(`--report is ${JSON.stringify(given)}; it must be ID=FILE`)
      return judge(toDefect(id), without, read(file))
    })
    print(findings, without, world)
    return 0
  },
}

function toDefect(id: string): DefectId {
  if (all.includes(id.trim())) return id.trim() as DefectId
  const near = findNearest(id.trim(), all)
  throw new UsageError(
    `${JSON.stringify(id)} is not a defect${near === undefined ? "; see docs/defects.md" : `; did you mean ${near}?`}`,
  )
}

function print(findings: readonly Judgement[], clean: ToolRun, { json, terminal }: World): void {
  const withoutDefect = reportsIn(clean)
  if (json) {
    terminal.out(`${JSON.stringify({ findings, withoutDefect })}\n`)
    return
  }
  const rows = findings.map(({ defect, outcome, by }) => ({ defect, outcome, by: by.slice(0, 3).join("; ") }))
  terminal.out(createTable(["defect", "outcome", "by"], terminal)(rows))
  const count = (outcome: Judgement["outcome"]) => findings.filter((one) => one.outcome === outcome).length
  const undecided = count("undecided") > 0 ? `, ${count("undecided")} undecided` : ""
  terminal.out(
    `\n${count("found")} of ${findings.length} found, ${count("missed")} missed${undecided}; ${withoutDefect.length} reports without a defect\n`,
  )
}

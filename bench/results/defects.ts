import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type DefectId, defectIds } from "../../src/parts/sandbox/defects/contract.ts"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { runTool, schemathesis, testingTools } from "../../test/harness/foreign-tools.ts"
import { requirePath } from "./adapters.ts"
import { readPart, type Skipped, type ToolResult, writePart } from "./published.ts"
import { runCommand } from "./run-command.ts"

/** A tool that tests APIs; its program is the first word of the command. */
type Tool = { name: string; install(): Promise<string>; version(path: string): Promise<string>; command: string }

const root = join(import.meta.dirname, "..", "..")
const npm = async () => join(requirePath(await testingTools()), "node_modules", ".bin")
const versionBy = (program: string) => async (path: string) =>
  (await runTool("bash", ["-c", `${join(path, program)} --version`], root)).match(/\d+\.\d+\.\d+/)?.[0] ?? ""

const description = "$TEST_URL/api/v3/openapi.classic.json"
/** Longer than a run of the slowest, in seconds. */
const timeout = "600"
const collection = "newman run $FOLDER/postman.json --reporters json --reporter-json-export $TEST_REPORT"

const tools: readonly Tool[] = [
  {
    name: "petstore conform",
    install: async () => root,
    version: async () => "",
    command: "petstore conform $TEST_URL/api/v3 --claims all --junit $TEST_REPORT",
  },
  {
    name: "Schemathesis",
    install: async () => join(requirePath(await schemathesis()), "bin"),
    version: versionBy("schemathesis"),
    command:
      `schemathesis run ${description} --header "api_key: $TEST_KEY" --max-examples 5 --seed 1 ` +
      "--report junit --report-junit-path $TEST_REPORT",
  },
  {
    name: "Prism proxy, Newman",
    install: npm,
    version: versionBy("prism"),
    command:
      `prism proxy --errors --port $PORT $TEST_OPENAPI $TEST_URL/api/v3 & ` +
      `until curl --silent 127.0.0.1:$PORT; do sleep 0.2; done; ${collection} --env-var url=http://127.0.0.1:$PORT; kill %1`,
  },
  {
    name: "Newman",
    install: npm,
    version: versionBy("newman"),
    command: `${collection} --env-var url=$TEST_URL/api/v3`,
  },
  {
    name: "Dredd",
    install: npm,
    version: versionBy("dredd"),
    command:
      `curl --silent ${description} > openapi.json; ` +
      'dredd openapi.json $TEST_URL/api/v3 --header "api_key: $TEST_KEY" --reporter xunit --output $TEST_REPORT',
  },
]

const categoryOf = (defect: DefectId): string =>
  Object.entries(defectIds).find(([, ids]) => (ids as readonly string[]).includes(defect))?.[0] ?? ""

export const toolNames: readonly string[] = tools.map(({ name }) => name)

/**
 * Runs each tool against each defect alone, and against none, one after the other: a busy machine makes them see faults that are not there.
 * With names, those only; of the others the results are kept.
 */
export async function measureDefects(url: string, names: readonly string[]): Promise<void> {
  using folder = temporaryDirectory()
  writeFileSync(join(folder.path, "postman.json"), await (await fetch(`${url}/api/v3/postman.json`)).text())
  // Of defects that are gone nothing is kept.
  const earlier = (readPart("defects")?.tools ?? []).map(({ findings, ...tool }) => ({
    ...tool,
    findings: findings.filter(({ defect }) => categoryOf(defect as DefectId) !== ""),
  }))
  const [results, skipped]: [ToolResult[], Skipped[]] = [[], []]
  for (const tool of tools)
    try {
      const kept = names.length > 0 && !names.includes(tool.name) && earlier.find(({ name }) => name === tool.name)
      results.push(kept || (await measureTool(tool, url, folder.path)))
    } catch (error) {
      skipped.push({ name: tool.name, reason: (error as Error).message.split("\n")[0] ?? "" })
    }
  writePart("defects", { tools: results, skipped })
}

type Said = { findings: { defect: DefectId; outcome: "found" | "missed" | "undecided" }[]; falseAlarms: string[] }

async function measureTool(
  { name, install, version, command }: Tool,
  url: string,
  folder: string,
): Promise<ToolResult> {
  process.stderr.write(`defects: ${name}\n`)
  const path = await install()
  const start = performance.now()
  const env = { PATH: `${path}:${process.env.PATH}`, FOLDER: folder, PORT: "21050" }
  const run = ["defects", "run", "--timeout", timeout, "--", "bash", "-c", `cd $(mktemp -d); ${command}`]
  const said = await runCommand<Said>(url, run, env)
  const findings = said.findings.map(({ defect, outcome }) => ({ defect, category: categoryOf(defect), outcome }))
  const seconds = Math.round((performance.now() - start) / 1000)
  return { name, version: await version(path), command, seconds, findings, falseAlarms: said.falseAlarms.length }
}

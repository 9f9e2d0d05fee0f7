import { spawnSync } from "node:child_process"
import { describeClient } from "../../src/parts/sandbox/exam/run-exam.ts"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { type Adapter, prepareAdapters } from "./adapters.ts"
import { describeOccasion, type Examined, type Outcome, writePart } from "./published.ts"
import { petstoreScript, runCommand } from "./run-command.ts"

/** They mostly wait. */
const clientsAtOnce = 6

/** Examines each client twice. */
export async function measureExam(url: string): Promise<void> {
  using folder = temporaryDirectory()
  const { adapters, skipped } = await prepare(url, folder.path)
  const clients: Examined[] = []
  const queue = adapters.entries()
  const lane = async () => {
    for (const [n, adapter] of queue) clients[n] = await examineTwice(url, adapter)
  }
  await Promise.all(Array.from({ length: clientsAtOnce }, lane))
  writePart("exam", { ...describeOccasion(), clients, skipped })
}

async function examineTwice(url: string, adapter: Adapter): Promise<Examined> {
  const { name, version, isDocumented, command, env } = adapter
  process.stderr.write(`exam: ${name} ${version}${isDocumented ? ", as documented" : ""}\n`)
  const examine = () => runCommand<Outcome[]>(url, ["exam", "--", ...command], env)
  const [first, second] = [await examine(), await examine()]
  const [file = "", ...args] = command
  const { options } = await describeClient({
    url,
    adapter: { command: file, args, environment: { ...process.env, ...env } },
  })
  const verdicts = first.map((verdict, n) => compare(brief(verdict), second[n]))
  return { name, version, ...(isDocumented && { isDocumented }), options, verdicts }
}

/** Repeats one task with one client, and prints the verdict with its evidence. Resolves with the exit code; `way` is `documented` or nothing. */
export async function repeatCell(url: string, [name = "", task = "", way]: readonly string[]): Promise<number> {
  using folder = temporaryDirectory()
  const { adapters, skipped } = await prepare(url, folder.path, name)
  const adapter = adapters.find(({ isDocumented = false }) => isDocumented === (way === "documented"))
  if (!adapter) throw new Error(skipped[0]?.reason ?? `${name} is not a client with this way`)
  const { command, env } = adapter
  const options = { env: { ...process.env, PETSTORE_URL: url, ...env }, stdio: "inherit" } as const
  return spawnSync(petstoreScript, ["exam", "--only", task, "--", ...command], options).status ?? 1
}

async function prepare(url: string, folder: string, only?: string) {
  process.stderr.write("exam: preparing the adapters\n")
  return prepareAdapters(folder, await (await fetch(`${url}/api/v3/openapi.json`)).text(), only)
}

/** What two runs say alike. */
function compare(first: Outcome, second: Outcome | undefined): Outcome {
  if (second === undefined || second.outcome === first.outcome) return first
  const { observed = second.observed } = first
  return {
    ...first,
    outcome: "unstable",
    observed: `${first.outcome}, then ${second.outcome}: ${withoutIds(observed ?? "")}`,
  }
}

/** Without what another run has otherwise, such as ids. */
export const brief = ({ chapter, name, source, outcome, observed, requests }: Outcome): Outcome => ({
  chapter,
  name,
  ...(source !== undefined && { source }),
  outcome,
  ...(isBad(outcome) && observed !== undefined && { observed: withoutIds(observed) }),
  ...(isBad(outcome) && requests && { requests }),
})

const isBad = (outcome: Outcome["outcome"]): boolean => outcome === "missed" || outcome === "unmeasured"

const withoutIds = (text: string): string =>
  text
    .replace(/http:\/\/127\.0\.0\.1:\d+(\/s\/exam-[\w-]+)?/g, "")
    .replace(/"(requestId|id|instance)":"?[^",}]+"?,?/g, "")
    .slice(0, 200)

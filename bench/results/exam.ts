import { temporaryDirectory } from "../../test/harness/directory.ts"
import { prepareAdapters } from "./adapters.ts"
import { type Examined, type Outcome, writePart } from "./published.ts"
import { runCommand } from "./run-command.ts"

/** Examines each client with the exam. */
export async function measureExam(url: string): Promise<void> {
  using folder = temporaryDirectory()
  process.stderr.write("exam: preparing the adapters\n")
  const description = await (await fetch(`${url}/api/v3/openapi.json`)).text()
  const { adapters, skipped } = await prepareAdapters(folder.path, description)
  const clients: Examined[] = []
  for (const { name, version, command, env } of adapters) {
    process.stderr.write(`exam: ${name} ${version}\n`)
    const verdicts = await runCommand<Outcome[]>(url, ["exam", "--", ...command], env)
    clients.push({ name, version, verdicts: verdicts.map(brief) })
  }
  writePart("exam", { clients, skipped })
}

/** Without what another run has otherwise, such as ids. */
export const brief = ({ chapter, name, source, outcome, observed }: Outcome): Outcome => ({
  chapter,
  name,
  ...(source !== undefined && { source }),
  outcome,
  ...(outcome === "missed" && observed !== undefined && { observed: withoutIds(observed) }),
})

const withoutIds = (text: string): string =>
  text
    .replace(/http:\/\/127\.0\.0\.1:\d+(\/s\/exam-[\w-]+)?/g, "")
    .replace(/"(requestId|id|instance)":"?[^",}]+"?,?/g, "")
    .slice(0, 200)

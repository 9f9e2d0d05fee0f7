import { hash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { type CommandInput, one, UsageError, type World } from "../command.ts"

/** Where an import notes how far it is, and lists the lines that were refused; undefined when nowhere. */
export type Paths = { report: string | undefined; state: string | undefined }

const nameLengthMax = 60
/** For how many stores the progress of one file at one address is kept: each reset of a sandbox makes another store. */
const storesMax = 10

/**
 * What the flags say, else files in the user's state directory, named after the file and the service: the file itself may lie
 * where nothing can be written, or nothing should be. Progress belongs to one store; what a reset emptied has none.
 */
export function choosePaths(
  file: string,
  given: CommandInput,
  { stateDir, service }: World,
  store: string | undefined,
): Paths {
  const directory = join(stateDir, "imports")
  const digest = hash("sha256", `${resolve(file)}\n${service.url}`, "hex").slice(0, 12)
  const name = `${basename(file).slice(0, nameLengthMax)}-${digest}`
  const inDirectory = (ending: string) => (file === "-" ? undefined : join(directory, `${name}.${ending}`))
  const report = one(given, "report") ?? inDirectory("refused.ndjson")
  const state = one(given, "state") ?? inDirectory(`${store === undefined ? "" : `${store}.`}${stateEnding}`)
  const different = [file, report, state].flatMap((path) => (path === undefined ? [] : [resolve(path)]))
  if (new Set(different).size < different.length) throw new UsageError("FILE, --report and --state must differ")
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  forgetOldest(directory, name)
  return { report, state }
}

const stateEnding = "state.ndjson"

/** Removes the progress that was changed longest ago, so that resets do not fill the directory. */
function forgetOldest(directory: string, name: string): void {
  const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const oldest = readdirSync(directory)
    .filter((each) => each.startsWith(`${name}.`) && each.endsWith(stateEnding))
    .map((each) => join(directory, each))
    .map((path) => ({ path, at: changedAt(path) }))
    .sort((a, b) => b.at - a.at)
    .slice(storesMax)
  for (const { path } of oldest) rmSync(path, { force: true })
}

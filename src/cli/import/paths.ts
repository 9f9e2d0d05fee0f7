import { hash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { type CommandInput, one, type Service, UsageError, type World } from "../command/command.ts"

/** The files of an import's progress and of its refused lines; undefined for none. */
export type Paths = { report: string | undefined; state: string | undefined }

const nameLengthMax = 60
/** Progress files to retain per file and address: each reset creates a new store. */
const storesMax = 10

/**
 * The paths in the flags, otherwise files in the user's state directory, because the imported file's directory may be read-only.
 * They are named after the file, the service and the store.
 */
export function choosePaths(
  file: string,
  input: CommandInput,
  { stateDir, service }: Pick<World, "stateDir"> & { service: Pick<Service, "url"> },
  store: string | undefined,
): Paths {
  const directory = join(stateDir, "imports")
  const digest = hash("sha256", `${resolve(file)}\n${service.url}`, "hex").slice(0, 12)
  const name = `${basename(file).slice(0, nameLengthMax)}-${digest}`
  const inDirectory = (ending: string) => (file === "-" ? undefined : join(directory, `${name}.${ending}`))
  const report = one(input, "report") ?? inDirectory("refused.ndjson")
  const state = one(input, "state") ?? inDirectory(`${store === undefined ? "" : `${store}.`}${stateEnding}`)
  const different = [file, report, state].flatMap((path) => (path === undefined ? [] : [resolve(path)]))
  if (new Set(different).size < different.length) throw new UsageError("FILE, --report and --state must differ")
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  forgetOldest(directory, name)
  return { report, state }
}

const stateEnding = "state.ndjson"

/** Removes the oldest progress files, so that resets do not fill the directory. */
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

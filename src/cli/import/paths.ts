import { hash } from "node:crypto"
import { mkdirSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { type Given, one, UsageError, type World } from "../command.ts"

/** Where an import notes how far it is, and lists the lines that were refused; undefined when nowhere. */
export type Paths = { report: string | undefined; state: string | undefined }

const nameLengthMax = 60

/**
 * What the flags say, else files in the user's state directory, named after the file and the service: the file itself may lie
 * where nothing can be written, or nothing should be.
 */
export function choosePaths(file: string, given: Given, { stateDir, service }: World): Paths {
  const directory = join(stateDir, "imports")
  const digest = hash("sha256", `${resolve(file)}\n${service.url}`, "hex").slice(0, 12)
  const name = `${basename(file).slice(0, nameLengthMax)}-${digest}`
  const inDirectory = (ending: string) => (file === "-" ? undefined : join(directory, `${name}.${ending}`))
  const report = one(given, "report") ?? inDirectory("refused.ndjson")
  const state = one(given, "state") ?? inDirectory("state.ndjson")
  const different = [file, report, state].flatMap((path) => (path === undefined ? [] : [resolve(path)]))
  if (new Set(different).size < different.length) throw new UsageError("FILE, --report and --state must differ")
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return { report, state }
}

import { readFileSync } from "node:fs"
import { join } from "node:path"

const manifest = readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")

/** The version of this program, read at run time: it stands in package.json alone. */
export const version: string = JSON.parse(manifest).version

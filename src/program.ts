import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The path of a file of this program, in `src` or in the build, where assets have the same paths. */
export const programFile = (path: string): string => join(import.meta.dirname, path)

/** The version of this program, read at run time: it stands in package.json alone. */
export const version: string = JSON.parse(readFileSync(programFile("../package.json"), "utf8")).version

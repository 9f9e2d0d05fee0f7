import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The path of a file of this program, in `src` or in the build, where assets have the same paths. */
export const programFile = (path: string): string => join(import.meta.dirname, path)

/** Name and version, read at run time: they stand in package.json alone. */
const manifest: { name: string; version: string } = JSON.parse(readFileSync(programFile("../package.json"), "utf8"))

export const { version } = manifest

/** What starts the command line in advice: the launcher of a checkout, or npx with the package. */
export const command = existsSync(programFile("../src")) ? "./petstore" : `npx ${manifest.name}`

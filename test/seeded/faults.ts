import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const root = join(import.meta.dirname, "..", "..")

/** A fault in the source as a patch, and the tests that fail with it: each a file, and the end or the whole of its name. */
export type SeededFault = {
  name: string
  fault: string
  patch: string
  tests: readonly { file: string; title: string }[]
}

/** The text above the patch is a line for the fault, and one for each test. */
export const readSeededFaults = (): SeededFault[] =>
  globSync("test/seeded/*.patch", { cwd: root })
    .sort()
    .map((path) => {
      const patch = join(root, path)
      const [fault = "", ...lines] = readFileSync(patch, "utf8").split("\n")
      const tests = lines.flatMap((line) => {
        const [, file, title] = /^Caught by (\S+): (.+)$/.exec(line) ?? []
        return file && title ? [{ file, title }] : []
      })
      return { name: basename(path, ".patch"), fault, patch, tests }
    })

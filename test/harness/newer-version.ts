import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "./directory.ts"

const root = join(import.meta.dirname, "..", "..")

/** A copy of this program in which `edit` changes files, by their path from its root. */
export function makeVersion(edit: (change: (file: string, to: (text: string) => string) => void) => void) {
  const directory = temporaryDirectory()
  const at = (...path: string[]) => join(directory.path, ...path)
  cpSync(join(root, "src"), at("src"), { recursive: true })
  cpSync(join(root, "package.json"), at("package.json"))
  symlinkSync(join(root, "node_modules"), at("node_modules"))
  edit((file, to) => {
    const before = existsSync(at(file)) ? readFileSync(at(file), "utf8") : ""
    const after = to(before)
    if (after === before) throw new Error(`${file} has nothing to change`)
    writeFileSync(at(file), after)
  })
  return directory
}

/** A copy of this program with one more migration of these statements. */
export const makeNewerVersion = (statements: readonly string[]): { path: string } & Disposable =>
  makeVersion((change) => {
    change(
      "src/core/sql/migrations/9999-newest.ts",
      () => `export const up = (): string[] => ${JSON.stringify(statements)}`,
    )
    const imported = `import * as newest from "./migrations/9999-newest.ts"\n`
    change("src/core/sql/migrations.ts", (text) => imported + text.replace(/^\]$/m, "  newest.up,\n]"))
  })

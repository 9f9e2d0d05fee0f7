import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "./petstore.ts"

const root = join(import.meta.dirname, "..", "..")

/** A tree of this program that knows one more migration, with these statements. */
export function makeNewerVersion(statements: readonly string[]): { path: string } & Disposable {
  const directory = temporaryDirectory()
  const at = (...path: string[]) => join(directory.path, ...path)
  cpSync(join(root, "src"), at("src"), { recursive: true })
  cpSync(join(root, "package.json"), at("package.json"))
  symlinkSync(join(root, "node_modules"), at("node_modules"))
  writeFileSync(
    at("src/storage/sql/migrations/9999-newest.ts"),
    `export const up = (): string[] => ${JSON.stringify(statements)}`,
  )
  const list = at("src/storage/sql/migrations.ts")
  const text = readFileSync(list, "utf8").replace(/^\]$/m, "  newest.up,\n]")
  writeFileSync(list, `import * as newest from "./migrations/9999-newest.ts"\n${text}`)
  return directory
}

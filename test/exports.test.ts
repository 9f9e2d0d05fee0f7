import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const exported = /^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm
const imported = /^(?:(?:import|export) (?:type )?| *const )\{([^}]*)\} (?:from |= await import\()/gm

/** Exports that no other file imports, as `file name`. */
function findUnused(sources: Map<string, string>): string[] {
  const users = Map.groupBy(
    [...sources].flatMap(([file, text]) => namesImported(text).map((name) => ({ file, name }))),
    ({ name }) => name,
  )
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(exported)]
      .map(([, name]) => name as string)
      // Imported by users of the package.
      .filter(() => !file.startsWith("src/public/"))
      .filter((name) => !users.get(name)?.some((user) => user.file !== file))
      .map((name) => `${file} ${name}`),
  )
}

const namesImported = (text: string): string[] =>
  [...text.matchAll(imported)].flatMap(([, names = ""]) =>
    names.split(",").map((name) =>
      name
        .trim()
        .replace(/^type /, "")
        .replace(/ as .*/, ""),
    ),
  )

test("every export is imported by another file", () => {
  const files = globSync(["src/**/*.ts", "test/*.ts", "test/!(slow)/**/*.ts", "test/slow/*.ts", "bench/**/*.ts"], {
    cwd: root,
  }).filter((file) => !file.includes("node_modules"))
  const unused = findUnused(new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")])))
  assert.ok(files.length > 300)
  assert.deepEqual(unused, [])
})

test("an export counts as unused unless another file imports it by its name", () => {
  const sources = new Map([
    ["a.ts", "export const used = 1\nexport function unused() {}\nexport type Kind = 1\n"],
    ["b.ts", 'import { used as own, type Kind } from "./a.ts"\nunused()\n'],
  ])
  assert.deepEqual(findUnused(sources), ["a.ts unused"])
})

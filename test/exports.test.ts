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

/** Names that two files may export, and why. */
const sharedNames: Record<string, string> = {
  up: "the statements of each migration",
  createPetstore: "the package exports the function of src/petstore.ts with settings and a log of its own",
}

/** The types of the client have the names of the schemas from which they are generated. */
const generated = /^src\/client\/operations\//

/** The names that several files export, with the files. */
function findShared(sources: Map<string, string>): [string, string[]][] {
  const exports = [...sources].flatMap(([file, text]) =>
    [...new Set([...text.matchAll(exported)].map(([, name]) => name as string))].map((name) => ({ file, name })),
  )
  return [...Map.groupBy(exports, ({ name }) => name)]
    .filter(([, uses]) => uses.length > 1)
    .map(([name, uses]) => [name, uses.map(({ file }) => file)])
}

test("no two files of src export the same name, except those that are listed with a reason", () => {
  const files = globSync("src/**/!(*.test).ts", { cwd: root }).filter((file) => !generated.test(file))
  const shared = findShared(new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")])))
  assert.ok(files.length > 500)
  assert.deepEqual(
    shared.filter(([name]) => !Object.hasOwn(sharedNames, name)),
    [],
  )
  assert.deepEqual(shared.map(([name]) => name).toSorted(), Object.keys(sharedNames).toSorted())
})

test("a name that two files export is found, a type and its schema in one file are not", () => {
  const sources = new Map([
    ["a.ts", "export const Pet = {}\nexport type Pet = 1\nexport const twice = 1\n"],
    ["b.ts", "export function twice() {}\n"],
  ])
  assert.deepEqual(findShared(sources), [["twice", ["a.ts", "b.ts"]]])
})

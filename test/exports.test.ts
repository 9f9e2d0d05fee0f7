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
}

/** Every name that several files export, as `name: file, file`. */
const findShared = (sources: Map<string, string>): string[] =>
  [
    ...Map.groupBy(
      [...sources].flatMap(([file, text]) =>
        [...new Set([...text.matchAll(exported)].map(([, name]) => name as string))].map((name) => ({ file, name })),
      ),
      ({ name }) => name,
    ),
  ]
    .filter(([name, uses]) => uses.length > 1 && !Object.hasOwn(sharedNames, name))
    .map(([name, uses]) => `${name}: ${uses.map(({ file }) => file).join(", ")}`)

test("no two files of src export the same name", () => {
  const files = globSync("src/**/!(*.test).ts", { cwd: root })
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]))
  assert.ok(files.length > 500)
  assert.deepEqual(findShared(sources), [])
  assert.deepEqual(
    Object.keys(sharedNames).filter(
      (name) =>
        !findShared(
          new Map([...sources, ["one.ts", `export const ${name} = 1\n`], ["two.ts", `export const ${name} = 1\n`]]),
        ).length,
    ),
    Object.keys(sharedNames),
  )
})

test("a name that two files export is found, a type and its schema in one file are not", () => {
  const sources = new Map([
    ["a.ts", "export const Pet = {}\nexport type Pet = 1\nexport const twice = 1\n"],
    ["b.ts", "export function twice() {}\n"],
  ])
  assert.deepEqual(findShared(sources), ["twice: a.ts, b.ts"])
})

import assert from "node:assert/strict"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const documents = globSync("{*.md,docs/**/*.md}", { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}))

test("every link from one document to another leads somewhere", () => {
  assert.deepEqual(documents.flatMap(brokenLinks), [])
  assert.equal(brokenLinks({ file: "docs/x.md", text: "[a](README.md) [b](../README.md)" }).length, 1)
})

test("every source file, test and folder a document names exists", () => {
  assert.deepEqual(documents.flatMap(missingPaths), [])
  const text = "`src/nowhere.ts`, test/nowhere/ and src/domain/<noun>/nowhere.ts, but src/main.ts and src/*/html.ts"
  assert.equal(missingPaths({ file: "x.md", text }).length, 3)
})

test("every test the threat model names exists under that name", () => {
  const security = readFileSync(join(root, "SECURITY.md"), "utf8")
  assert.ok(namedTests(security).length > 20)
  assert.deepEqual(namedTests(security).filter(isMissing), [])
  assert.ok(isMissing({ file: "test/golden.test.ts", name: "nobody has written this" }))
})

type Document = { file: string; text: string }

const brokenLinks = ({ file, text }: Document): string[] =>
  [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)[^)]*\)/g)]
    .filter(([, target]) => !existsSync(join(root, dirname(file), target as string)))
    .map(([, target]) => `${file} → ${target}`)

/** `<noun>` and the like stand for any name. */
const missingPaths = ({ file, text }: Document): string[] =>
  [...text.matchAll(/(?<![\w/.-])(?:src|test|bench|bin)\/[\w./*{},<>-]*[\w/*}>]/g)]
    .map(([path]) => path.replace(/<\w+>/g, "*"))
    .filter((path) => globSync(path, { cwd: root }).length === 0)
    .map((path) => `${file} → ${path}`)

const namedTests = (text: string): { file: string; name: string }[] =>
  [...text.matchAll(/`([\w./-]+\.test\.ts)`: (?:"[^"]+"(?:, )?)+/g)].flatMap(([all, file = ""]) =>
    [...all.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
  )

function isMissing({ file, name }: { file: string; name: string }): boolean {
  return !existsSync(join(root, file)) || !readFileSync(join(root, file), "utf8").includes(`"${name}"`)
}

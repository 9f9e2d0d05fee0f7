import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const files = globSync(
  ["*.md", "cli.txt", "openapi.json", "{bench,bin,deploy,docs,examples,src,test}/**/*.{ts,mjs,js,css,md,yaml,conf,sh}"],
  { cwd: root, exclude: ["**/node_modules/**", "test/slow/clients/**"] },
).filter((file) => file !== "test/language.test.ts")

/** Words that technical English does without. STYLE.md says what to write instead. */
const unplain = /\b(?:whoever|whatever|nobody|somebody|everybody|anew|is told|goes on|at hand|begun)\b/gi

test("comments, help, pages and documents are in plain technical English", () => {
  assert.ok(files.length > 1_000)
  const found = files.flatMap((file) =>
    unplainIn(readFileSync(join(root, file), "utf8")).map((excerpt) => `${file}: ${excerpt}`),
  )
  assert.deepEqual(found, [])
})

test("a word is found in any case, across lines of a comment, and not within a name", () => {
  const text = "/**\n * The caller is\n * told.\n */\n// Whoever asks, goes\n// on.\nconst nobodyElse = 1"
  const found = unplainIn(text)
  assert.equal(found.length, 3)
  assert.match(found[0] as string, /The caller is told/)
})

/** Each use of such a word, with its surroundings; marks of comments and line ends do not count. */
function unplainIn(text: string): string[] {
  const plain = text.replace(/\s*\n\s*(?:\*\/?|\/\/|#|--)?\s*/g, " ")
  return [...plain.matchAll(unplain)].map(({ index }) => plain.slice(Math.max(0, index - 30), index + 30))
}

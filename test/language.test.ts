import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")
const find = (patterns: readonly string[], exclude: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", ...exclude] })

const types = "{ts,mjs,js,css,md,yaml,conf,sh}"
const files = find(
  ["*.md", "cli.txt", "openapi.json", `{bench,bin,deploy,docs,examples,src,test}/**/*.${types}`],
  ["test/slow/clients/**", "test/language.test.ts"],
)
/** Source, documents and tools; the names of tests, which SECURITY.md quotes, and released entries stay as they are. */
const ownFiles = find(
  ["*.md", `{bench,bin,deploy,docs,examples,src}/**/*.${types}`],
  ["**/*.test.ts", "SECURITY.md", "CHANGELOG.md", "docs/glossary.md"],
)

/** Words that technical English does without. STYLE.md says what to write instead. */
const unplain = /\b(?:whoever|whatever|nobody|somebody|everybody|anew|is told|goes on|at hand|begun)\b/gi

/** Words that the glossary replaces, from its last column; two words separated by a space are one phrase. */
const replaced = [...read("docs/glossary.md").matchAll(/^\|(?! word | ---).*\|([^|]*)\|$/gm)].flatMap(([, last = ""]) =>
  last
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== ""),
)

/** Where such a word has a reason: a phrase in any file, or the word in the files that the pattern matches. */
const exceptions: readonly { allowed: RegExp; in?: RegExp; reason: string }[] = [
  { allowed: /place (?:(?:an|the|another|and cancel) )?orders?/gi, reason: "the verb of an order" },
  { allowed: /orders?[ /]place\b/gi, reason: "the command and the file of that verb" },
  {
    allowed: /action: "place"|places? (?:another|a second) one/gi,
    in: /order|CONTRIBUTING|retries/,
    reason: "the verb",
  },
  { allowed: /\b(?:in|into|take) place\b/gi, reason: "without a copy; happen" },
  { allowed: /place items/g, in: /\.css$/, reason: "a property of CSS" },
  { allowed: /in another place/g, in: /audit-verify|check-machine/, reason: "texts of the command line" },
  { allowed: /room (?:again|for more images)/g, in: /quota|bounded-blobs|watch-disk/, reason: "problems and logs" },
  { allowed: /Limit Standing/g, in: /limits\/contract\.ts$|client\/operations/, reason: "the name of a public schema" },
  { allowed: /S3 did not answer/g, in: /s3\/request\.ts$/, reason: "the text of a problem" },
  { allowed: /answer: "allow"/g, in: /refreshing-tokens\.md$/, reason: "the name of a form field" },
  { allowed: /"answer"/g, in: /^src\/parts\/oauth\//, reason: "the name of a form field" },
  { allowed: /\bfixtures?\b/gi, in: /testing-in-python\.md$/, reason: "the term of pytest" },
  {
    allowed: /\banswer\b/gi,
    in: /^src\/core\/sql\/|compatibility\.md$/,
    reason: "the column of a response, and its name in 0.2.0",
  },
]

test("comments, help, pages and documents are in plain technical English", () => {
  assert.ok(files.length > 1_000)
  const found = files.flatMap((file) => unplainIn(read(file)).map((excerpt) => `${file}: ${excerpt}`))
  assert.deepEqual(found, [])
})

test("a word is found in any case, across lines of a comment, and not within a name", () => {
  const text = "/**\n * The caller is\n * told.\n */\n// Whoever asks, goes\n// on.\nconst nobodyElse = 1"
  const found = unplainIn(text)
  assert.equal(found.length, 3)
  assert.match(found[0] as string, /The caller is told/)
})

test("sentences and names use the words of the glossary, not those in its last column", () => {
  assert.ok(ownFiles.length > 700)
  assert.ok(replaced.length >= 10)
  assert.deepEqual(
    replaced.filter((word) => !/^[a-z]+(?: [a-z]+)?$/.test(word)),
    [],
  )
  const found = ownFiles.flatMap((file) => replacedIn(read(file), file).map((excerpt) => `${file}: ${excerpt}`))
  assert.deepEqual(found, [])
})

test("a replaced word is found in a sentence, in every form of a name, and not within another word", () => {
  for (const text of [
    "There is room.",
    "two\n * Rooms",
    "hasRoom",
    "roomLeft",
    "room-key",
    "ROOM_MAX",
    "the audit\n// trail",
  ])
    assert.equal(replacedIn(text, "x.ts").length, 1, text)
  for (const text of ["mushroom", "roomy", "the understanding", "placed", "replaceAll", "answered"])
    assert.deepEqual(replacedIn(text, "x.ts"), [], text)
})

test("an exception holds for its phrase and its files only, and each one is needed", () => {
  assert.deepEqual(replacedIn("placeOrder, to place an order, in place", "x.ts"), [])
  assert.equal(replacedIn("the place of an order", "x.ts").length, 1)
  assert.deepEqual(replacedIn("place-items", "x.css"), [])
  assert.equal(replacedIn("place-items", "x.ts").length, 1)
  for (const exception of exceptions)
    assert.ok(
      ownFiles.some((file) => applies(exception, file) && splitNames(read(file)).search(exception.allowed) >= 0),
      `${exception.allowed}`,
    )
})

/** Each use of such a word, with its surroundings; marks of comments and line ends do not count. */
function unplainIn(text: string): string[] {
  return excerptsOf(withoutLineEnds(text), unplain)
}

/** Each use of a replaced word that is no exception, also in plural and as a part of a name, with its surroundings. */
function replacedIn(text: string, file: string): string[] {
  const words = exceptions
    .filter((exception) => applies(exception, file))
    .reduce((rest, { allowed }) => rest.replace(allowed, "…"), splitNames(text))
  return excerptsOf(words, new RegExp(`\\b(?:${replaced.join("|")})s?\\b`, "gi"))
}

const applies = (exception: (typeof exceptions)[number], file: string): boolean => exception.in?.test(file) ?? true

/** Separates the words of names in every form: `inOneWord`, `in-one-word`, `IN_ONE_WORD`. */
const splitNames = (text: string): string =>
  withoutLineEnds(text)
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ")
    .replace(/[-_]+/g, " ")

const withoutLineEnds = (text: string): string => text.replace(/\s*\n\s*(?:\*\/?|\/\/|#|--)?\s*/g, " ")

const excerptsOf = (text: string, words: RegExp): string[] =>
  [...text.matchAll(words)].map(({ index }) => text.slice(Math.max(0, index - 30), index + 30))

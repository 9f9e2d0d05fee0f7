import assert from "node:assert/strict"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { test } from "node:test"
import { parseCases } from "./harness/cases/parse.ts"
import { packageFile, packageName } from "./harness/package.ts"

const root = join(import.meta.dirname, "..")
const documents = globSync("{*.md,docs/**/*.md}", { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}))

test("every link from one document to another, or to a heading, has a target", () => {
  assert.deepEqual(documents.flatMap(brokenLinks), [])
  assert.equal(brokenLinks({ file: "docs/x.md", text: "[a](SECURITY.md) [b](../SECURITY.md)" }).length, 1)
  assert.deepEqual(documents.flatMap(brokenAnchors), [])
  const text = "## What `is` it?\n[a](#what-is-it) [b](#what) [c](run.md#metrics) [d](run.md#nowhere)"
  assert.equal(brokenAnchors({ file: "docs/x.md", text }).length, 2)
})

test("docs/README.md leads to every document", () => {
  const list = documents.find(({ file }) => file === "docs/README.md")?.text ?? ""
  // Recipes and decisions have a list each, which other tests check.
  const listed = documents.filter(
    ({ file }) => !/^docs\/(?:README|(?:recipes|decisions)\/(?!README).*)\.md$/.test(file),
  )
  assert.ok(listed.length >= 20)
  assert.deepEqual(
    listed.map(({ file }) => relative("docs", file)).filter((path) => !list.includes(`(${path})`)),
    [],
  )
})

test("no page is longer than 2,500 words, all are at most 45,000, and README leads to every page in two clicks", () => {
  const pages = documents.filter(({ file }) => file.startsWith("docs/"))
  const written = pages.filter(({ file }) => !isGenerated.test(file))
  assert.ok(written.length > 60 && pages.length - written.length === 10)
  assert.deepEqual(
    written.filter(({ text }) => wordsIn(text) > pageWordsMax).map(({ file }) => file),
    [],
  )
  const words = written.reduce((sum, { text }) => sum + wordsIn(text), 0)
  assert.ok(words <= wordsMax, `${words} words: cut elsewhere what you add`)
  assert.equal(wordsIn("| a | `b.c` | — | two words |\n| --- | --- |"), 4)

  const first = linksOf("README.md")
  const reached = new Set(["README.md", ...first, ...first.flatMap(linksOf)])
  assert.deepEqual(
    pages.map(({ file }) => file).filter((file) => !reached.has(file)),
    [],
  )
  assert.ok(!first.includes("docs/decisions/redis.md"))
})

test("the list of decisions names every file of them, and each decision is linked from what it explains or names it", () => {
  const decisions = documents.filter(({ file }) => /^docs\/decisions\/(?!README)/.test(file))
  const list = documents.find(({ file }) => file === "docs/decisions/README.md")?.text ?? ""
  const linked = globSync("src/**/*.ts", { cwd: root }).flatMap((file) =>
    linkedDecisions(readFileSync(join(root, file), "utf8")),
  )
  assert.ok(decisions.length > 10 && linked.length > 50)
  assert.deepEqual(
    decisions.map(({ file }) => basename(file)).filter((name) => !list.includes(`](${name})`)),
    [],
  )
  assert.deepEqual(
    decisions.flatMap((decision) => withoutCode(decision, linked)),
    [],
  )
  const text = "# All\n## One\nIt is.\n## Two\nCode: `src/main.ts`.\n## Three\nIt is."
  const three = ["[decision](docs/decisions/x.md#three)"]
  assert.deepEqual(withoutCode({ file: "docs/decisions/x.md", text }, three), ["docs/decisions/x.md#one"])
})

test("the images of documents exist and are small", () => {
  const shown = [...new Set(documents.flatMap(imagesIn))]
  assert.ok(shown.length >= 6)
  assert.deepEqual(
    shown.filter((file) => !existsSync(join(root, file))),
    [],
  )
  const bytes = shown.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  assert.ok(bytes < imageBytesMax, `${bytes} bytes`)
})

test("every source file, test and folder that a document names exists", () => {
  assert.deepEqual(documents.flatMap(missingPaths), [])
  const text =
    "`src/nowhere.ts`, test/nowhere/ and src/core/domain/<noun>/nowhere.ts, but src/main.ts and src/parts/*/pages/html.ts"
  assert.equal(missingPaths({ file: "x.md", text }).length, 3)
})

test("every decision that a source file names has its heading", () => {
  const sources = globSync("src/**/*.ts", { cwd: root })
  const linked = sources.flatMap((file) => linkedDecisions(readFileSync(join(root, file), "utf8")))
  assert.ok(linked.length > 50)
  assert.deepEqual(brokenAnchors({ file: "src", text: linked.join("\n") }), [])
  assert.equal(brokenAnchors({ file: "src", text: linkedDecisions("docs/decisions/http.md#no-such").join() }).length, 1)
})

test("each classic behaviour that this service does not have is the title of a case, and of no other", () => {
  const cases = globSync("test/cases/classic/deviations*.http", { cwd: root }).flatMap((file) =>
    parseCases(readFileSync(join(root, file), "utf8")).cases.map(({ title }) => title),
  )
  const text = readFileSync(join(root, "docs/compatibility.md"), "utf8")
  const [ofRequests = ""] = text.split("\n## The description\n")
  const rows = ofRequests
    .split("\n")
    .flatMap((line) => (/^\| (?!---|classic behaviour)/.test(line) ? [line.split(" | ")] : []))
  assert.deepEqual(rows.map(([first = ""]) => first.slice(2)).sort(), cases.sort())
  for (const row of rows) assert.ok(row.length === 2 && row.every((cell) => cell.trim().length > 2), row.join(" | "))
})

test("every test that the threat model quotes exists under that name", () => {
  const security = readFileSync(join(root, "SECURITY.md"), "utf8")
  assert.ok(namedTests(security).length > 20)
  assert.deepEqual(namedTests(security).filter(isMissing), [])
  assert.ok(isMissing({ file: "test/golden.test.ts", name: "no such test" }))
})

test("documents and examples name the package as package.json does, never one of another owner", () => {
  const examples = globSync("{examples/*/*.*,deploy/**/*.*,src/public/*.ts}", { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), "utf8"),
  }))
  assert.deepEqual([...documents, ...examples].flatMap(foreignPackages), [])
  assert.ok(documents.some(({ text }) => text.includes(`npm install --save-dev ./${packageFile}`)))
  for (const text of [
    "npm i petstore",
    "npm install -D petstore@1",
    "npx petstore serve",
    "npx --yes petstore",
    "pnpm add petstore",
  ])
    assert.equal(foreignPackages({ file: "x.md", text }).length, 1, text)
  const other = 'from "petstore/client", @other/petstore, petstore-0.1.0.tgz'
  assert.equal(foreignPackages({ file: "x.md", text: other }).length, 3)
})

test("every document with a command or an import of the package says where it is", () => {
  const used = documents.filter(
    ({ file, text }) => file !== "CHANGELOG.md" && new RegExp(`(?:npx |from ")${packageName}`).test(text),
  )
  assert.ok(used.length >= 12)
  assert.deepEqual(
    used.filter(({ text }) => !/\]\(\S*#the-package\)/.test(text)).map(({ file }) => file),
    [],
  )
})

test("no document starts the service through npx, which would leave it running when npx is ended", () => {
  const started = new RegExp(`npx (-\\S+ )*${packageName} serve`)
  assert.deepEqual(
    documents.filter(({ text }) => started.test(text)).map(({ file }) => file),
    [],
  )
  assert.ok(documents.some(({ text }) => text.includes("node_modules/.bin/petstore serve")))
})

type Document = { file: string; text: string }

/** What installs or imports another package than this one, such as `petstore`, which belongs to a stranger. */
function foreignPackages({ file, text }: Document): string[] {
  // Entries of released versions keep the names of their time.
  const current = file === "CHANGELOG.md" ? text.slice(0, text.indexOf("\n## 0.")) : text
  const bare =
    current.match(
      /(\b(npx|npm (i|install|add|exec)|(pnpm|yarn|bun) \w+)( -\S+)* |(from|import|require\() ?"|"args": \[")petstore\b(?!-)/g,
    ) ?? []
  const scoped = current.match(/@[\w-]+\/petstore\b/g) ?? []
  const files = current.match(/[\w.-]*petstore-[\w.-]*\.tgz/g) ?? []
  return [
    ...bare,
    ...scoped.filter((name) => name !== packageName),
    ...files.filter((name) => name !== packageFile),
  ].map((what) => `${file}: ${what}`)
}

const imageBytesMax = 450_000

const pageWordsMax = 2_500
const wordsMax = 45_000
/** Pages that are written from code or from what was measured. */
const isGenerated =
  /^docs\/(?:(?:agents|api|configuration|conform|defects|exam|problems|reliability)\.md|(?:performance|results)\/)/

const wordsIn = (text: string): number => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0

/** The documents that a document links to. */
const linksOf = (file: string): string[] =>
  [...(documents.find((one) => one.file === file)?.text ?? "").matchAll(/\]\((?!\w+:)([^)#\s]+\.md)[^)]*\)/g)].map(
    ([, target]) => join(dirname(file), target as string),
  )

const imagesIn = ({ file, text }: Document): string[] =>
  [...text.matchAll(/ (?:src|srcset)="(?!\w+:)([^"]+)"/g)].map(([, target]) => join(dirname(file), target as string))

const brokenLinks = ({ file, text }: Document): string[] =>
  [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)[^)]*\)/g)]
    .filter(([, target]) => !existsSync(join(root, dirname(file), target as string)))
    .map(([, target]) => `${file} → ${target}`)

const brokenAnchors = ({ file, text }: Document): string[] =>
  [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)]+)\)/g)]
    .filter(([, target = "", anchor = ""]) => {
      const linked = target === "" ? text : readFileSync(join(root, dirname(file), target), "utf8")
      return !anchorsOf(linked).includes(anchor)
    })
    .map(([, target, anchor]) => `${file} → ${target}#${anchor}`)

/** The anchors that GitHub generates for headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )

/** The decisions that no source file links to, and that name no file themselves. */
const withoutCode = ({ file, text }: Document, linked: string[]): string[] =>
  text
    .split(/^## /m)
    .slice(1)
    .filter((decision) => !/`(?:src|test|bench|bin|deploy|runtime)\/|`package.json`/.test(decision))
    .map((decision) => `${file}#${anchorsOf(`## ${decision}`)[0]}`)
    .filter((decision) => !linked.includes(`[decision](${decision})`))

/** The decisions a source file names, as links of a document in the root. */
const linkedDecisions = (text: string): string[] =>
  [...text.matchAll(/docs\/decisions\/[\w-]+\.md#[\w-]+/g)].map(([link]) => `[decision](${link})`)

/** `<noun>` and similar placeholders match any name. */
const missingPaths = ({ file, text }: Document): string[] =>
  [...text.matchAll(/(?<![\w/.-])(?:src|test|bench|bin)\/[\w./*{},<>-]*[\w/*}>]/g)]
    .map(([path]) => path.replace(/<\w+>/g, "*"))
    .filter((path) => globSync(path, { cwd: root }).length === 0)
    .map((path) => `${file} → ${path}`)

const namedTests = (text: string): { file: string; name: string }[] =>
  [...text.matchAll(/`([\w./-]+\.(?:test\.ts|http))`: (?:"[^"]+"(?:, )?)+/g)].flatMap(([all, file = ""]) =>
    [...all.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
  )

function isMissing({ file, name }: { file: string; name: string }): boolean {
  if (!existsSync(join(root, file))) return true
  const text = readFileSync(join(root, file), "utf8")
  return ![`"${name}"`, `"${name} (slow)"`, `### ${name}\n`].some((quoted) => text.includes(quoted))
}

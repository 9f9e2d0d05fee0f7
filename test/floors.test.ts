import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { test } from "node:test"
import { partsOf } from "../src/parts.ts"

const root = join(import.meta.dirname, "..")
const sources = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"))

type Arrow = { from: string; to: string }

/** Every import by these files of another one, types included. */
const arrowsOf = (files: readonly string[]): readonly Arrow[] =>
  files.flatMap((from) =>
    [
      ...readFileSync(join(root, from), "utf8").matchAll(
        /^(?:import|export|\}) (?:[^"\n]*from )?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm,
      ),
    ].map(([, named, dynamic]) => ({
      from,
      to: relative(root, normalize(join(root, dirname(from), named ?? (dynamic as string)))),
    })),
  )

const arrows = arrowsOf(sources)

/** The floors of the core, from below. Folders on one floor do not import each other, but for the exceptions. */
const floors: readonly (readonly string[])[] = [
  ["kernel"],
  ["domain"],
  ["crypto", "imaging", "observability", "sql", "memory", "disk"],
  ["sqlite"],
  ["storage"],
  ["config"],
  ["workers", "server"],
  ["api"],
  ["assembly"],
]

/** The parts, and which other parts each may import. A part that another one names is removed together with it. */
const needs: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  partsOf("sandbox").map(({ name, needs = [] }) => [name, needs]),
)

/** Imports that run upward or along a floor of the core, with the reason. */
const exceptions: readonly (Arrow & { reason: string })[] = [
  {
    from: "src/core/crypto/",
    to: "src/core/disk/key-file.ts",
    reason: "the sealing key may be a file, which is written like all others",
  },
]

/** The folders inside a folder from below, one level; `.` are the files of the folder itself. */
const inside: Readonly<Record<string, readonly string[]>> = {
  "core/api": ["authentication", "problems", "admission", "feeds", "operations", "images", "."],
  "core/kernel": ["flow", ".", "network", "json", "schema", "endpoint"],
  "core/server": ["exchange", "limits", "xml", "reading", "writing", "pipeline", "."],
  "core/workers": ["delivery", "."],
  "parts/operator": ["archive", "installation", "backup", "copy", ".", "commands"],
  cli: [
    ...["command", "output", "arguments", "completion", "import", "service", "endpoint"],
    ...["commands", "terminal", "."],
  ],
}

/** The layers of the domain from below: a noun has a file in each. */
const layers: readonly RegExp[] = [
  /^src\/core\/domain\/(endpoint|scopes|tags|audit\/actions|problems\/\w+)\.ts$/,
  /\/contract\.ts$/,
  /^src\/core\/domain\/api\.ts$/,
  /\/model\.ts$|^src\/core\/domain\/policy\.ts$/,
  /\/rules\.ts$/,
  /^src\/core\/domain\/(?!ports\/)[\w/-]+\/store\.ts$/,
  /^src\/core\/domain\/(ports\/[\w-]+|join-transaction)\.ts$/,
  /^src\/core\/domain\/context\.ts$/,
  /^src\/core\/domain\/(?!operations\.ts$)/,
  /^src\/core\/domain\/operations\.ts$/,
]

/** The version of the program and the paths of its files. */
const program = "src/program.ts"

const levelIn = (list: readonly RegExp[], file: string): number => list.findIndex((each) => each.test(file))
/** `core/domain`, `parts/mcp` or `cli`; empty for the assembly. */
const roomOf = (file: string): string => /^src\/((?:core|parts)\/[\w-]+|[\w-]+)\//.exec(file)?.[1] ?? ""
const isIn = (folder: "core" | "parts", file: string): boolean => file.startsWith(`src/${folder}/`)
const nameOf = (file: string): string => roomOf(file).split("/")[1] ?? ""
const floorOf = (file: string): number => floors.findIndex((floor) => floor.includes(nameOf(file)))
const isException = ({ from, to }: Arrow): boolean =>
  exceptions.some((each) => from.startsWith(each.from) && to === each.to)

const upwardInCore = (all: readonly Arrow[]): Arrow[] =>
  all
    .filter(({ from, to }) => isIn("core", from) && isIn("core", to) && roomOf(from) !== roomOf(to))
    .filter((arrow) => floorOf(arrow.from) <= floorOf(arrow.to) && !isException(arrow))

const outOfCore = (all: readonly Arrow[]): Arrow[] =>
  all.filter(({ from, to }) => isIn("core", from) && !isIn("core", to) && to !== program)

/** Where all parts are known: the lists of parts, settings and commands, and what the package has of parts. */
const lists = /^src\/((parts|config|commands)\.ts$|public\/)/

/** The parts without which a file need not compile: its own, and those that this one needs. */
const ownParts = (name: string): readonly string[] => [name, ...(needs[name] ?? [])]

/** Imports of parts by files that are neither theirs nor of parts that need them. */
const ofParts = (all: readonly Arrow[]): Arrow[] =>
  all
    .filter(({ from, to }) => isIn("parts", to) && !lists.test(from))
    .filter(({ from, to }) => !ownParts(isIn("parts", from) ? nameOf(from) : "").includes(nameOf(to)))

/**
 * Imports of parts by tests of other parts or of the core: a folder of tests that is named after a part is about it, and `web` is
 * about all pages. Tests of the whole service are in `test/` itself and in `test/slow/`.
 */
const byOtherTests = (all: readonly Arrow[]): Arrow[] =>
  all
    .filter(({ from, to }) => isIn("parts", to) && /^(src\/\w+|test\/(?!slow\/|harness\/)\w+)\//.test(from))
    .filter(({ from, to }) => {
      const [, name = ""] = /^(?:src\/parts|test)\/(\w+)\//.exec(from) ?? []
      return !ownParts(name === "web" ? "sandbox" : name).includes(nameOf(to))
    })

/** What a tool, or a part, may not import: the assembly, which knows the list of parts. */
const ofAssembly = (all: readonly Arrow[]): Arrow[] =>
  all.filter(({ from, to }) => isIn("parts", from) && roomOf(to) === "" && to !== program)

function upwardInFolder(all: readonly Arrow[]): Arrow[] {
  return all.filter(({ from, to }) => {
    const order = inside[roomOf(from)]
    if (!order || roomOf(from) !== roomOf(to) || to.endsWith("/contract.ts")) return false
    const [own, target] = [from, to].map((file) => folderIn(roomOf(from), file))
    return own !== target && order.indexOf(own as string) <= order.indexOf(target as string)
  })
}

/** The folder of a file inside a room; `.` for the room itself. */
function folderIn(room: string, file: string): string {
  const [folder, ...rest] = file.slice(`src/${room}/`.length).split("/")
  return rest.length > 0 ? (folder as string) : "."
}

const upwardInDomain = (all: readonly Arrow[]): Arrow[] =>
  all
    .filter(({ from, to }) => roomOf(from) === "core/domain" && roomOf(to) === "core/domain")
    .filter(({ from, to }) => levelIn(layers, from) < levelIn(layers, to))

test("no import runs from a floor of the core upward, nor between two folders of one floor", () => {
  assert.deepEqual(upwardInCore(arrows), [])
})

test("without a part and those that need it all else compiles, but for the lists of what there is", () => {
  const found = [outOfCore, ofParts, ofAssembly].flatMap((find) => find(arrows))
  assert.deepEqual(found, [])
})

test("the tests of the core and of other parts import a part through the harness only", () => {
  assert.deepEqual(byOtherTests(arrowsOf(globSync("{src,test}/**/*.test.ts", { cwd: root }))), [])
  const found = (from: string, to: string) => byOtherTests([{ from, to }]).length
  assert.equal(found("test/pets/pets.test.ts", "src/parts/mcp/tool.ts"), 1)
  assert.equal(found("src/parts/mcp/tool.test.ts", "src/parts/sandbox/contract.ts"), 1)
  assert.equal(found("test/mcp/tools.test.ts", "src/parts/mcp/tool.ts"), 0)
})

test("besides the lists no file imports the sandbox, and at most forty mention it", () => {
  const others = sources.filter((file) => !file.startsWith("src/parts/sandbox/"))
  const importing = arrows.filter(({ to }) => to.startsWith("src/parts/sandbox/")).map(({ from }) => from)
  assert.ok(others.filter((file) => importing.includes(file)).length <= 5)
  // A directive of Content-Security-Policy has the same name.
  const text = (file: string) => readFileSync(join(root, file), "utf8").replace('"sandbox; default-src', "")
  const mentioning = others.filter((file) => /sandbox/i.test(text(file)))
  assert.ok(mentioning.length <= 40, mentioning.join("\n"))
})

test("a part needs only parts before it", () => {
  const names = Object.keys(needs)
  for (const [name, needed] of Object.entries(needs))
    for (const one of needed) assert.ok(names.indexOf(one) < names.indexOf(name), `${name} needs ${one}`)
})

test("no import runs upward between the folders inside a folder", () => {
  assert.deepEqual(upwardInFolder(arrows), [])
})

test("no import runs upward between the layers of the domain", () => {
  assert.deepEqual(upwardInDomain(arrows), [])
})

test("every folder of the core has a floor, every part is known, and every folder of an ordered one has its position", () => {
  const rooms = [...new Set(sources.map(roomOf))]
  const named = (folder: string) => rooms.filter((room) => room.startsWith(folder)).map((room) => room.split("/")[1])
  assert.deepEqual(named("core/").toSorted(), floors.flat().toSorted())
  assert.deepEqual(named("parts/").toSorted(), Object.keys(needs).toSorted())
  for (const [room, order] of Object.entries(inside)) {
    const files = sources.filter((file) => roomOf(file) === room)
    assert.deepEqual([...new Set(files.map((file) => folderIn(room, file)))].toSorted(), order.toSorted(), room)
  }
})

test("a forbidden import is found, of each kind", () => {
  const found = (from: string, to: string) =>
    [upwardInCore, outOfCore, ofParts, ofAssembly, upwardInFolder, upwardInDomain].map(
      (find) => find([{ from, to }]).length,
    )
  assert.deepEqual(found("src/core/server/server.ts", "src/core/api/routes.ts"), [1, 0, 0, 0, 0, 0])
  assert.deepEqual(found("src/core/server/server.ts", "src/core/workers/replicas.ts"), [1, 0, 0, 0, 0, 0])
  assert.deepEqual(found("src/core/api/routes.ts", "src/petstore.ts"), [0, 1, 0, 0, 0, 0])
  assert.deepEqual(found("src/core/api/routes.ts", "src/parts/mcp/tool.ts"), [0, 1, 1, 0, 0, 0])
  assert.deepEqual(found("src/cli/run.ts", "src/parts/mcp/tool.ts"), [0, 0, 1, 0, 0, 0])
  assert.deepEqual(found("src/commands.ts", "src/parts/mcp/command.ts"), [0, 0, 0, 0, 0, 0])
  assert.deepEqual(found("src/parts/mcp/tool.ts", "src/parts/sandbox/contract.ts"), [0, 0, 1, 0, 0, 0])
  assert.deepEqual(found("src/parts/mcp/tool.ts", "src/petstore.ts"), [0, 0, 0, 1, 0, 0])
  assert.deepEqual(
    found("src/core/server/reading/body.ts", "src/core/server/writing/write-response.ts"),
    [0, 0, 0, 0, 1, 0],
  )
  assert.deepEqual(found("src/core/domain/pets/store.ts", "src/core/domain/ports/store.ts"), [0, 0, 0, 0, 0, 1])
  assert.deepEqual(found("src/core/domain/pets/contract.ts", "src/core/domain/pets/model.ts"), [0, 0, 0, 0, 0, 1])
  assert.deepEqual(found("src/core/domain/pets/create.ts", "src/core/domain/operations.ts"), [0, 0, 0, 0, 0, 1])
  assert.deepEqual(found("src/core/api/routes.ts", "src/core/server/server.ts"), [0, 0, 0, 0, 0, 0])
})

test("every exception is needed", () => {
  assert.ok(exceptions.length <= 12)
  for (const { from, to } of exceptions)
    assert.ok(
      arrows.some((arrow) => arrow.from.startsWith(from) && arrow.to === to),
      `${from} → ${to}`,
    )
})

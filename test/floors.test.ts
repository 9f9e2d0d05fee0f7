import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const sources = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"))

type Arrow = { from: string; to: string }

/** Every import of one file by another, types included. */
const arrows: readonly Arrow[] = sources.flatMap((from) =>
  [
    ...readFileSync(join(root, from), "utf8").matchAll(
      /^(?:import|export|\}) (?:[^"\n]*from )?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm,
    ),
  ].map(([, named, dynamic]) => ({
    from,
    to: relative(root, normalize(join(root, dirname(from), named ?? (dynamic as string)))),
  })),
)

/** The floors of the service, from below. Folders on one floor do not import each other, but for the exceptions. */
const floors: readonly (readonly RegExp[])[] = [
  [/^src\/kernel\//],
  [/^src\/domain\//],
  [/^src\/(config|crypto|imaging|pet-files|observability|storage)\//],
  [/^src\/(workers|server)\//],
  [/^src\/api\//],
  [/^src\/site\//],
  [/^src\/(sandbox|operator)\//],
  [/^src\/(initial-data|named-sandboxes|sandbox-sources|petstore|service|shared|store)\.ts$/],
  [/^src\/main\.ts$/],
]

/** Files that stand beside the floors: programs and packages that use the service, and the version of the program. */
const beside = /^src\/(cli|client|examiner|mcp|public)\/|^src\/program\.ts$/

/** Imports that run upward or along a floor, with the reason. */
const exceptions: readonly (Arrow & { reason: string })[] = [
  {
    from: "src/config/",
    to: "src/storage/blobs/locations.ts",
    reason: "a setting names a location of images, whose form the storage knows",
  },
  {
    from: "src/crypto/",
    to: "src/storage/disk/key-file.ts",
    reason: "the sealing key may be a file, which is written like all others",
  },
]

/** The folders inside a folder from below, one level; `.` are the files of the folder itself. */
const parts: Readonly<Record<string, readonly string[]>> = {
  api: [
    "authentication",
    "admission",
    "feeds",
    "operations",
    "mcp",
    "v2",
    "openapi",
    "descriptions",
    "defects",
    "faults",
    "images",
    "sandbox",
    ".",
  ],
  cli: [
    ...["command", "output", "arguments", "completion", "doctor", "import", "service", "endpoint", "mcp"],
    ...["commands", "terminal", "."],
  ],
  kernel: ["flow", ".", "network", "json", "schema", "endpoint"],
  operator: ["archive", "installation", "backup", "copy", "."],
  server: ["exchange", "limits", "xml", "reading", "writing", "pipeline", "."],
  site: ["pages", "serving", "oauth-server", "."],
  storage: ["blobs", "disk", "memory", "redis", "sql", "sqlite", "postgres", "s3", "sandbox-files", "."],
  workers: ["delivery", "."],
}

/** The layers of the domain from below: a noun has a file in each. */
const layers: readonly RegExp[] = [
  /^src\/domain\/(endpoint|scopes|tags|audit\/actions|problems\/\w+)\.ts$/,
  /\/contract\.ts$/,
  /^src\/domain\/api\.ts$/,
  /\/model\.ts$|^src\/domain\/policy\.ts$/,
  /\/rules\.ts$/,
  /^src\/domain\/(?!ports\/)[\w/-]+\/store\.ts$/,
  /^src\/domain\/(ports\/[\w-]+|join-transaction)\.ts$/,
  /^src\/domain\/context\.ts$/,
  /^src\/domain\/(?!operations\.ts$)/,
  /^src\/domain\/operations\.ts$/,
]

const levelIn = (list: readonly RegExp[], file: string): number => list.findIndex((each) => each.test(file))
const floorOf = (file: string): number => floors.findIndex((floor) => floor.some((each) => each.test(file)))
const isException = ({ from, to }: Arrow): boolean =>
  exceptions.some((each) => from.startsWith(each.from) && to === each.to)
const folderOf = (file: string): string => /^src\/([\w-]+)\//.exec(file)?.[1] ?? ""

function upwardBetweenFloors(all: readonly Arrow[]): Arrow[] {
  return all
    .filter(({ from, to }) => !beside.test(from) && !beside.test(to) && folderOf(from) !== folderOf(to))
    .filter((arrow) => floorOf(arrow.from) <= floorOf(arrow.to) && !isException(arrow))
    .filter(({ from, to }) => folderOf(from) !== "" || folderOf(to) !== "")
}

function upwardInFolder(all: readonly Arrow[]): Arrow[] {
  return all.filter(({ from, to }) => {
    const order = parts[folderOf(from)]
    if (!order || folderOf(from) !== folderOf(to)) return false
    const [own, target] = [from, to].map((file) => (file.split("/").length > 3 ? (file.split("/")[2] as string) : "."))
    return own !== target && order.indexOf(own as string) <= order.indexOf(target as string)
  })
}

const upwardInDomain = (all: readonly Arrow[]): Arrow[] =>
  all
    .filter(({ from, to }) => folderOf(from) === "domain" && folderOf(to) === "domain")
    .filter(({ from, to }) => levelIn(layers, from) < levelIn(layers, to))

test("no import runs from a floor upward, nor between two folders of one floor", () => {
  assert.deepEqual(upwardBetweenFloors(arrows), [])
})

test("no import runs upward between the folders inside a folder", () => {
  assert.deepEqual(upwardInFolder(arrows), [])
})

test("no import runs upward between the layers of the domain", () => {
  assert.deepEqual(upwardInDomain(arrows), [])
})

test("every file has a floor, and every folder of an ordered folder its position", () => {
  assert.deepEqual(
    sources.filter((file) => !beside.test(file) && floorOf(file) < 0),
    [],
  )
  const folders = new Set(sources.map((file) => file.split("/").slice(1, -1).slice(0, 2).join("/")))
  for (const [parent, order] of Object.entries(parts)) {
    const found = [...folders].filter((folder) => folder === parent || folder.startsWith(`${parent}/`))
    const named = found.map((folder) => (folder === parent ? "." : folder.slice(parent.length + 1)))
    assert.deepEqual(named.toSorted(), order.toSorted(), parent)
  }
})

test("an upward import is found, on each of the three levels", () => {
  const upward = (from: string, to: string) => [
    upwardBetweenFloors([{ from, to }]).length,
    upwardInFolder([{ from, to }]).length,
    upwardInDomain([{ from, to }]).length,
  ]
  assert.deepEqual(upward("src/server/server.ts", "src/api/routes.ts"), [1, 0, 0])
  assert.deepEqual(upward("src/server/server.ts", "src/workers/replicas.ts"), [1, 0, 0])
  assert.deepEqual(upward("src/api/routes.ts", "src/petstore.ts"), [1, 0, 0])
  assert.deepEqual(upward("src/config/config.ts", "src/storage/open.ts"), [1, 0, 0])
  assert.deepEqual(upward("src/server/reading/body.ts", "src/server/writing/write-response.ts"), [0, 1, 0])
  assert.deepEqual(upward("src/api/operations/steps.ts", "src/api/store-api.ts"), [0, 1, 0])
  assert.deepEqual(upward("src/domain/pets/store.ts", "src/domain/ports/store.ts"), [0, 0, 1])
  assert.deepEqual(upward("src/domain/pets/contract.ts", "src/domain/pets/model.ts"), [0, 0, 1])
  assert.deepEqual(upward("src/domain/pets/create.ts", "src/domain/operations.ts"), [0, 0, 1])
  assert.deepEqual(upward("src/api/routes.ts", "src/server/server.ts"), [0, 0, 0])
})

test("every exception is needed", () => {
  assert.ok(exceptions.length <= 12)
  for (const { from, to } of exceptions)
    assert.ok(
      arrows.some((arrow) => arrow.from.startsWith(from) && arrow.to === to),
      `${from} → ${to}`,
    )
})

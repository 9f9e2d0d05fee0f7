import assert from "node:assert/strict"
import { globSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { runTool } from "../harness/foreign-tools.ts"
import { copySource, pack, packedFile } from "../harness/package.ts"
import { before } from "../harness/use.ts"

const root = join(import.meta.dirname, "..", "..")
const mebibyte = 1024 ** 2
/** Maximum size of the package; Scalar's bundle is more than half of it. */
const sizeBytesMax = 2.5 * mebibyte

const published = ["public/petstore", "public/client", "public/sandbox", "public/webhooks"]

describe("npm pack", () => {
  const directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  const without = { exclude: ["*.tgz", "node_modules"] }
  let file: string
  before(async () => {
    file = await packedFile()
  })
  after(() => directory[Symbol.dispose]())

  test("is reproducible from files of another time, without private ones, and leaves the source unchanged", async () => {
    copySource(at("other"))
    writeFileSync(at("other/deploy/.env"), "PETSTORE_SECRET_KEY=")
    const before = globSync("**/*", { cwd: at("other"), ...without }).sort()
    for (const name of before) utimesSync(join(at("other"), name), 1_000_000_000, 1_000_000_000)
    const other = await pack(at("other"))
    assert.deepEqual(globSync("**/*", { cwd: at("other"), ...without }).sort(), before)
    assert.ok(readFileSync(file).equals(readFileSync(other)))
  })

  test("packs a bundle, public types, assets and the operator's files, and no test, source or private file", async () => {
    const names = (await runTool("tar", ["tzf", file], root)).trim().split("\n")
    const packed = names.map((name) => name.replace("package/", ""))
    const isChunk = (name: string) => /^dist\/[\w-]+-[A-Z0-9]{8}\.js$/.test(name)
    const isType = (name: string) => name.endsWith(".d.ts")
    const entries = ["main", "cli/main", "core/imaging/worker-main", ...published].map((name) => `${name}.js`)
    const assets = globSync("**/*.{css,js,svg,webp}", { cwd: join(root, "src") })
    const scalar = ["js", "LICENSE"].map((kind) => `parts/descriptions/pages/scalar.bundle.${kind}`)
    const built = [...entries, ...assets, ...scalar, "LICENSES.txt"].map((name) => `dist/${name}`)
    const own = globSync(
      "{bin/petstore,deploy/*.*,deploy/kubernetes/*,docs/{,recipes/}*.md,docs/results/tables.json,examples/**/*.*,clients/**/*.*}",
      {
        cwd: root,
      },
    )
    const others = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "npm-shrinkwrap.json", "package.json"]
    const expected = [...built, ...own, ...others, "deploy/Containerfile"]
    assert.deepEqual(packed.filter((name) => !isChunk(name) && !isType(name)).sort(), [...new Set(expected)].sort())
    const types = packed.filter(isType)
    assert.deepEqual(
      published.filter((name) => !types.includes(`dist/${name}.d.ts`)),
      [],
    )
    assert.ok(types.length < 60, `${types.length} declarations`)
    assert.ok(packed.filter(isChunk).length < 250)
    assert.ok(statSync(file).size < sizeBytesMax, `${statSync(file).size}`)
  })

  test("lists the tested versions of production dependencies, without runtime and development dependencies", async () => {
    const text = await runTool("tar", ["xzOf", file, "package/npm-shrinkwrap.json"], root)
    const { packages } = JSON.parse(text) as { packages: Record<string, { version: string; dev?: true }> }
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages
    const listed = Object.entries(packages).filter(([path]) => path !== "")
    assert.ok(listed.length > 100)
    for (const [path, entry] of listed) assert.deepEqual(entry, lock[path])
    assert.deepEqual(
      listed.filter(([path, { dev }]) => dev || /node-linux|scalar/.test(path)),
      [],
    )
  })
})

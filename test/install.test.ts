import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { temporaryDirectory } from "./harness/petstore.ts"

const root = join(import.meta.dirname, "..")
const elsewhere = process.platform === "linux" ? "darwin" : "linux"

const packages = {
  "node_modules/needed": { version: "1.0.0" },
  "node_modules/needed/node_modules/inner": { version: "1.0.0" },
  "node_modules/tested": { version: "1.0.0", dev: true },
  "node_modules/runtime": { version: "1.0.0", optional: true, os: [process.platform], cpu: [process.arch] },
  "node_modules/foreign": { version: "1.0.0", optional: true, os: [elsewhere] },
  "node_modules/other-libc": { version: "1.0.0", optional: true, os: [process.platform], libc: "none" },
  "node_modules/not-here": { version: "1.0.0", optional: true, os: [`!${process.platform}`] },
  "node_modules/of-foreign": { version: "1.0.0", optional: true },
  "node_modules/petstore-runtime": { resolved: "runtime", link: true },
  runtime: { version: "0.1.0" },
}
const [needed, inner, tested, runtime] = Object.keys(packages) as [string, string, string, string]

/** Stands for npm: says what it was asked for, and does nothing. */
const npm = `#!/bin/sh
echo "$@" >> asked
test ! -e fails`

/** A checkout with these packages installed, and with an npm that only says what it is asked for. */
function makeCheckout(installed: string[]) {
  const directory = temporaryDirectory()
  const at = (path: string) => join(directory.path, path)
  cpSync(join(root, "bin"), at("bin"), { recursive: true })
  writeFileSync(at("package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }))
  mkdirSync(at("tools"))
  writeFileSync(at("tools/npm"), npm, { mode: 0o755 })
  mkdirSync(at("node_modules"))
  const add = (path: string, version = "1.0.0") => {
    mkdirSync(at(path), { recursive: true })
    writeFileSync(at(`${path}/package.json`), JSON.stringify({ version }))
  }
  for (const path of installed) add(path)
  // What npm writes whenever it has changed anything.
  writeFileSync(at("node_modules/.package-lock.json"), "{}")

  return {
    at,
    add,
    /** What npm was asked for by an installation, a line each time, and what the person was told. */
    install(forTests: boolean) {
      rmSync(at("asked"), { force: true })
      const script = `import("./bin/install.mjs").then(({ install }) => install({ forTests: ${forTests} }))`
      const { stderr, status } = spawnSync(process.execPath, ["-e", script], {
        cwd: directory.path,
        env: { PATH: `${at("tools")}:${process.env.PATH}` },
        encoding: "utf8",
      })
      const asked = existsSync(at("asked")) ? readFileSync(at("asked"), "utf8") : ""
      return { asked: asked.replaceAll(" --no-audit --no-fund --loglevel=error", ""), stderr, status }
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  }
}

describe("what a command of a checkout installs", () => {
  test("the first one installs what the lock file lists, and says beforehand how much that is", () => {
    using checkout = makeCheckout([])
    const { asked, stderr } = checkout.install(false)
    assert.equal(asked, "ci --omit=dev\n")
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const [, download, size] = /some (\d+) MB to download, (\d+) MiB on disk/.exec(stderr) ?? []
    assert.match(readme, new RegExp(`downloads some ${download} MB`))
    assert.match(readme, new RegExp(`take ${size} MiB`))
  })

  test("after npm ci it asks npm for nothing, whichever command comes first, and leaves what development needs", () => {
    using checkout = makeCheckout([needed, inner, tested, runtime])
    for (const forTests of [false, true, false]) assert.equal(checkout.install(forTests).asked, "")
    assert.match(readFileSync(checkout.at("node_modules/.petstore-installed"), "utf8"), / everything /)
    rmSync(checkout.at("node_modules/.petstore-installed"))
    for (const forTests of [true, false]) assert.equal(checkout.install(forTests).asked, "")
  })

  test("after npm ci --omit=dev only tests ask for more, and keep what is there", () => {
    using checkout = makeCheckout([needed, inner, runtime])
    assert.equal(checkout.install(false).asked, "")
    assert.equal(checkout.install(true).asked, "install --no-save --include=dev\n")
    checkout.add(tested)
    assert.equal(checkout.install(true).asked, "")
    assert.equal(checkout.install(false).asked, "")
  })

  test("tests, which check types, begin anew where an installation for production removed them", () => {
    using checkout = makeCheckout([needed, inner, runtime])
    writeFileSync(checkout.at("node_modules/.petstore-without-types"), "")
    assert.equal(checkout.install(false).asked, "")
    assert.equal(checkout.install(true).asked, "ci --include=dev\n")
  })

  for (const [path, version] of [
    [inner, "0.9.0"],
    [runtime, undefined],
  ] as const)
    test(`${path} is installed when it is ${version ?? "absent"}, beside everything else`, () => {
      using checkout = makeCheckout([needed, inner, tested, runtime].filter((one) => one !== path))
      if (version) checkout.add(path, version)
      const { asked, stderr } = checkout.install(false)
      assert.equal(asked, "install --no-save --include=dev\n")
      assert.match(stderr, /Installing 1 missing package;/)
    })

  test("what npm has changed since is looked at again", () => {
    using checkout = makeCheckout([needed, inner, tested, runtime])
    assert.equal(checkout.install(true).asked, "")
    rmSync(checkout.at(tested), { recursive: true })
    utimesSync(checkout.at("node_modules/.package-lock.json"), 1, 1)
    assert.equal(checkout.install(true).asked, "install --no-save --include=dev\n")
  })

  test("when npm fails, so does the command, and the next one tries again", () => {
    using checkout = makeCheckout([])
    writeFileSync(checkout.at("fails"), "")
    const { status, stderr } = checkout.install(false)
    assert.equal(status, 1)
    assert.match(stderr, /npm ci failed \(exit code 1\)/)
    assert.equal(checkout.install(false).asked, "ci --omit=dev\n")
  })
})

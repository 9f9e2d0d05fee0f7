import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { temporaryDirectory } from "./harness/directory.ts"

const root = join(import.meta.dirname, "..")
const elsewhere = process.platform === "linux" ? "darwin" : "linux"

const packages = {
  "node_modules/needed": { version: "1.0.0" },
  "node_modules/needed/node_modules/inner": { version: "1.0.0" },
  "node_modules/tested": { version: "1.0.0", dev: true },
  "node_modules/runtime": {
    ...{ version: "1.0.0", optional: true, os: [process.platform], cpu: [process.arch] },
    engines: { node: "<999" },
  },
  "node_modules/for-older": { version: "1.0.0", optional: true, os: [process.platform], engines: { node: "<24" } },
  "node_modules/foreign": { version: "1.0.0", optional: true, os: [elsewhere] },
  "node_modules/other-libc": { version: "1.0.0", optional: true, os: [process.platform], libc: "none" },
  "node_modules/not-here": { version: "1.0.0", optional: true, os: [`!${process.platform}`] },
  "node_modules/of-foreign": { version: "1.0.0", optional: true },
  "node_modules/petstore-runtime": { resolved: "runtime", link: true },
  runtime: { version: "0.1.0" },
}
const [needed, inner, tested, runtime] = Object.keys(packages) as [string, string, string, string]

/** Replaces npm: records its arguments, and does nothing. */
const npm = `#!/bin/sh
echo "$@" >> calls
test ! -e fails`

/** A checkout with these packages installed, and with an npm that only records its arguments. */
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
  // npm writes this file whenever it has changed anything.
  writeFileSync(at("node_modules/.package-lock.json"), "{}")

  return {
    at,
    add,
    /** The arguments of each npm call of an installation, one line each, and what the user saw. */
    install(forTests: boolean) {
      rmSync(at("calls"), { force: true })
      const script = `import("./bin/install.mjs").then(({ install }) => install({ forTests: ${forTests} }))`
      const { stderr, status } = spawnSync(process.execPath, ["-e", script], {
        cwd: directory.path,
        env: { PATH: `${at("tools")}:${process.env.PATH}` },
        encoding: "utf8",
      })
      const calls = existsSync(at("calls")) ? readFileSync(at("calls"), "utf8") : ""
      return { calls: calls.replaceAll(" --no-audit --no-fund --loglevel=error", ""), stderr, status }
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  }
}

describe("what a command of a checkout installs", () => {
  test("the first command installs the packages of the lock file, and announces their size", () => {
    using checkout = makeCheckout([])
    const { calls, stderr } = checkout.install(false)
    assert.equal(calls, "ci --omit=dev\n")
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const [, download, size] = /some (\d+) MB to download, (\d+) MiB on disk/.exec(stderr) ?? []
    assert.match(readme, new RegExp(`downloads some ${download} MB`))
    assert.match(readme, new RegExp(`take ${size} MiB`))
  })

  test("after npm ci no command calls npm, in any order, and development packages remain (slow)", () => {
    using checkout = makeCheckout([needed, inner, tested, runtime])
    for (const forTests of [false, true, false]) assert.equal(checkout.install(forTests).calls, "")
    assert.match(readFileSync(checkout.at("node_modules/.petstore-installed"), "utf8"), / everything /)
    rmSync(checkout.at("node_modules/.petstore-installed"))
    for (const forTests of [true, false]) assert.equal(checkout.install(forTests).calls, "")
  })

  test("after npm ci --omit=dev only tests install more, and keep installed packages (slow)", () => {
    using checkout = makeCheckout([needed, inner, runtime])
    assert.equal(checkout.install(false).calls, "")
    assert.equal(checkout.install(true).calls, "install --no-save --include=dev\n")
    checkout.add(tested)
    assert.equal(checkout.install(true).calls, "")
    assert.equal(checkout.install(false).calls, "")
  })

  test("tests, which check types, reinstall everything where a production installation removed the types", () => {
    using checkout = makeCheckout([needed, inner, runtime])
    writeFileSync(checkout.at("node_modules/.petstore-without-types"), "")
    assert.equal(checkout.install(false).calls, "")
    assert.equal(checkout.install(true).calls, "ci --include=dev\n")
  })

  for (const [path, version] of [
    [inner, "0.9.0"],
    [runtime, undefined],
  ] as const)
    test(`${path} is installed when it is ${version ?? "absent"}, in addition to the others`, () => {
      using checkout = makeCheckout([needed, inner, tested, runtime].filter((one) => one !== path))
      if (version) checkout.add(path, version)
      const { calls, stderr } = checkout.install(false)
      assert.equal(calls, "install --no-save --include=dev\n")
      assert.match(stderr, /Installing 1 missing package;/)
    })

  test("the lock file has the runtime for an older Node only, which npm itself does not write", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages
    for (const arch of ["x64", "arm64"])
      assert.deepEqual(lock[`node_modules/node-linux-${arch}`].engines, { node: "<24" }, arch)
  })

  test("packages are checked again after a change by npm", () => {
    using checkout = makeCheckout([needed, inner, tested, runtime])
    assert.equal(checkout.install(true).calls, "")
    rmSync(checkout.at(tested), { recursive: true })
    utimesSync(checkout.at("node_modules/.package-lock.json"), 1, 1)
    assert.equal(checkout.install(true).calls, "install --no-save --include=dev\n")
  })

  test("when npm fails the command fails, and the next one tries again", () => {
    using checkout = makeCheckout([])
    writeFileSync(checkout.at("fails"), "")
    const { status, stderr } = checkout.install(false)
    assert.equal(status, 1)
    assert.match(stderr, /npm ci failed \(exit code 1\)/)
    assert.equal(checkout.install(false).calls, "ci --omit=dev\n")
  })
})

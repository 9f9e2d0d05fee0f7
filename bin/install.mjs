// Installs missing packages of package-lock.json and leaves all others unchanged. Runs on Node 20 and later.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const modules = join(root, "node_modules")
const stamp = join(modules, ".petstore-installed")
/** Created by bin/trim.mjs in an installation for production, to which development packages cannot be added. */
const withoutTypes = join(modules, ".petstore-without-types")
const nodeVersion = Number(process.versions.node.split(".")[0])
/** What a first installation downloads, in MB, and takes on disk, in MiB, as stated in the README. */
const sizes = { production: [20, 53], everything: [70, 211], runtime: [60, 144] }

/** Installs missing dependencies, including development dependencies with `forTests`. */
export function install({ forTests }) {
  const text = readFileSync(join(root, "package-lock.json"))
  const lock = createHash("sha256").update(text).digest("hex")
  const stamped = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if ((forTests ? ["everything"] : ["everything", "production"]).some((what) => stamped === mark(lock, what)))
    return touch()

  const { packages } = JSON.parse(text)
  const lacks = findMissing(packages, forTests)
  const isAnew = !hasSomeOf(packages, () => true) || (forTests && existsSync(withoutTypes))
  // Keep development dependencies if some are installed.
  const what = forTests || hasSomeOf(packages, ({ dev }) => dev) ? "everything" : "production"
  if (lacks.length > 0 || isAnew) runNpm(what, lacks, isAnew)
  const isWhole = findMissing(packages, true).length === 0 && !existsSync(withoutTypes)
  // Without the stamp, for example on a read-only file system, every start checks again. Another tree may share the old file.
  attempt(() => {
    rmSync(stamp, { force: true })
    writeFileSync(stamp, mark(lock, isWhole ? "everything" : "production"))
  })
}

/** The launcher compares times only: the lock file may be newer without a change. */
const touch = () => attempt(() => utimesSync(stamp, new Date(), new Date()))

/** The content of the stamp; npm writes the second file with every change, and an older Node needs another one. */
function mark(lock, what) {
  const { mtimeMs = 0 } = statSync(join(modules, ".package-lock.json"), { throwIfNoEntry: false }) ?? {}
  return `${lock} ${what} ${mtimeMs} ${nodeVersion}`
}

const findMissing = (packages, forTests) =>
  Object.keys(packages).filter((path) => {
    const listed = packages[path]
    const isWanted = path.includes("node_modules/") && !listed.link && (forTests || !listed.dev) && suits(listed)
    return isWanted && installedVersion(path) !== listed.version
  })

const hasSomeOf = (packages, isOfKind) =>
  Object.keys(packages).some(
    (path) => path.includes("node_modules/") && isOfKind(packages[path]) && installedVersion(path) !== undefined,
  )

const installedVersion = (path) =>
  attempt(() => JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")).version)

/** Whether npm installs the package on this machine. An optional package for any machine may belong to one for another machine. */
function suits({ optional, os, cpu, libc, engines }) {
  const isForAny = !os && !cpu
  if (isForAny) return !optional
  const isForMachine = allows(os, process.platform) && allows(cpu, process.arch) && (!libc || allows(libc, libcHere()))
  return isForMachine && !isForOlder(engines)
}

/** The runtime is for an older Node than the service needs; npm leaves out optional packages of other engines. */
const isForOlder = ({ node = "" } = {}) => nodeVersion >= (/^<(\d+)$/.exec(node)?.[1] ?? Infinity)

/** Allowed names, or excluded ones with `!`; npm writes a single name without a list. */
function allows(names, name) {
  const listed = [names ?? []].flat()
  const isAllowed = listed.every((one) => one.startsWith("!")) || listed.includes(name)
  return isAllowed && !listed.includes(`!${name}`)
}

function libcHere() {
  return process.report?.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc"
}

/** `npm ci` without a complete installation, otherwise `npm install`, which keeps valid packages. */
function runNpm(what, lacks, isAnew) {
  const missing = lacks.length === 1 ? "1 missing package" : `${lacks.length} missing packages`
  const told = isAnew ? `what Petstore needs, ${sizeOf(what, lacks)}` : missing
  process.stderr.write(`Installing ${told}; this happens once …\n`)
  const included = what === "everything" ? "--include=dev" : "--omit=dev"
  const command = isAnew ? ["ci"] : ["install", "--no-save"]
  const npm = spawnSync("npm", [...command, included, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  })
  if (npm.status !== 0) {
    process.stderr.write(
      `npm ${command[0]} failed (${npm.error?.message ?? `exit code ${npm.status}`}); see above. Run the command again to retry.\n`,
    )
    process.exit(1)
  }
}

function sizeOf(what, lacks) {
  const parts = lacks.some((path) => path.includes("/node-linux-")) ? [what, "runtime"] : [what]
  const [download, disk] = [0, 1].map((n) => parts.reduce((sum, part) => sum + sizes[part][n], 0))
  return `some ${download} MB to download, ${disk} MiB on disk`
}

function attempt(action) {
  try {
    return action()
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install({ forTests: false })

// Runs on Node 20 and later: installs what package-lock.json lists, then starts the Node version the project is written for.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const oldestRuntime = 24
const root = fileURLToPath(new URL("..", import.meta.url))
/** Where Node keeps compiled code between starts. */
const compileCache = join(root, "node_modules", ".cache", "compiled")
const stamp = join(root, "node_modules", ".petstore-installed")

/** Installs the dependencies, with those for development when `forTests`, unless they are installed already. */
export function install({ forTests }) {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex")
  const installed = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if (installed === `${lock} everything` || (!forTests && installed === `${lock} production`)) return

  process.stderr.write("Installing what Petstore needs; this happens once …\n")
  const what = forTests ? ["--include=dev"] : ["--omit=dev"]
  const npm = spawnSync("npm", ["ci", ...what, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  })
  if (npm.status !== 0) {
    process.stderr.write(
      `npm ci failed (${npm.error?.message ?? `exit code ${npm.status}`}); see above. Run the command again to retry.\n`,
    )
    process.exit(1)
  }
  writeFileSync(stamp, `${lock} ${forTests ? "everything" : "production"}`)
}

/**
 * How the runtime is started for the service. While an empty store is filled V8 learns to put objects of a request into
 * its old generation, where each keeps a whole request alive after it: half of the requests a second are lost to that.
 * The second halves the generation that new objects are made in, 30 MiB that gain nothing here.
 */
export const serviceFlags = ["--no-allocation-site-pretenuring", "--max-semi-space-size=16"]

/** Runs Node with these arguments until it ends, passing signals on, and ends with its exit code. */
export function run(args) {
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  const child = spawn(runtime(), args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

/** The path of the Node from the dependencies if there is one for this platform, otherwise of the one running now. */
function runtime() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`)
    return join(manifest, "..", "bin", "node")
  } catch {
    if (Number(process.versions.node.split(".")[0]) >= oldestRuntime) return process.execPath
    process.stderr.write(
      `Petstore needs Node ${oldestRuntime} or newer; this is ${process.versions.node}, and there is no bundled one for this platform.\n`,
    )
    process.exit(1)
  }
}

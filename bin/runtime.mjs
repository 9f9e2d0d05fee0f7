// Runs on Node 20 and later: starts the Node that is installed with the project, or the one running now.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { constants } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const oldestRuntime = 24
const root = fileURLToPath(new URL("..", import.meta.url))
/** Where Node keeps compiled code between starts. */
const compileCache = join(root, "node_modules", ".cache", "compiled")

/**
 * How the runtime is started for the service. While an empty store is filled V8 learns to put objects of a request into
 * its old generation, where each keeps a whole request alive after it: half of the requests a second are lost to that.
 * The second halves the generation that new objects are made in, 30 MiB that gain nothing here.
 */
const serviceFlags = ["--no-allocation-site-pretenuring", "--max-semi-space-size=16"]
/** glibc keeps up to eight arenas a core for threads that allocate at once (mallopt(3)): 10 MiB more, and nothing is faster for it. */
const serviceEnvironment = { MALLOC_ARENA_MAX: "2" }

/** Runs the command line that this process was given, of the source or of what was built from it: `src` or `dist`. */
export function runPetstore(folder) {
  const extension = folder === "src" ? "ts" : "js"
  const program = (name) => join(root, folder, `${name}.${extension}`)
  const given = process.argv.slice(2)
  if (given.join(" ") === "serve") run([...serviceFlags, program("main")], serviceEnvironment)
  else run([program("cli/main"), ...given])
}

/** Runs Node with these arguments, passing signals on, and ends with its exit code, or as a shell has it for what a signal ended. */
export function run(args, environment = {}) {
  const env = { NODE_COMPILE_CACHE: compileCache, ...environment, ...process.env }
  const child = spawn(runtime(), args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
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

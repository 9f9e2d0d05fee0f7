// Runs a tool of the project with the Node that is installed with it, otherwise the current one. Runs on Node 20 and later.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { constants } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const oldestRuntime = 24
const root = fileURLToPath(new URL("..", import.meta.url))
/** Node's compile cache. */
const compileCache = join(root, "node_modules", ".cache", "compiled")

/** Runs Node with these arguments, forwards signals, and exits with its exit code, or 128 plus the signal as in shells. */
export function run(args) {
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  const child = spawn(runtime(), args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

/** The path of the Node in the dependencies if there is one for this platform, otherwise of the current one. */
function runtime() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`)
    return join(manifest, "..", "bin", "node")
  } catch {
    if (Number(process.versions.node.split(".")[0]) >= oldestRuntime) return process.execPath
    process.stderr.write(
      `Petstore needs Node ${oldestRuntime} or newer; this is ${process.versions.node}, and there is none to install with npm for this platform.\n`,
    )
    process.exit(1)
  }
}

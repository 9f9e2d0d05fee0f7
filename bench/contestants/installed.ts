import { execFile, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const directory = import.meta.dirname
const modules = join(directory, "node_modules")
const installTimeoutMs = 300_000
const pocketbase = "github.com/pocketbase/pocketbase/examples/base@v0.36.8"

/** Installs the contestants from the npm registry when needed; resolves with the directory of their commands. */
export async function installContestants(): Promise<string> {
  const lock = createHash("sha256")
    .update(readFileSync(join(directory, "package-lock.json")))
    .digest("hex")
  const stamp = join(modules, ".installed")
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    await run("npm", ["ci", ...quietly], { cwd: directory, timeout: installTimeoutMs })
    writeFileSync(stamp, lock)
  }
  return join(modules, ".bin")
}

/** Builds PocketBase from the Go module registry when needed, which takes some minutes; resolves with its path. */
export async function buildPocketBase(): Promise<string> {
  const target = join(modules, ".pocketbase", pocketbase.split("@")[1] as string)
  const program = join(target, "base")
  if (existsSync(program)) return program
  if (spawnSync("go", ["version"]).status !== 0) throw new Error("its build needs Go, which is not installed")
  mkdirSync(target, { recursive: true })
  await run("go", ["install", pocketbase], { env: { ...process.env, GOBIN: target }, timeout: 3 * installTimeoutMs })
  return program
}

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

/** The path of Bun's program. Its package links it in an install script, which does not run here. */
export async function bunProgram(): Promise<string> {
  await installContestants()
  return join(modules, "@oven", `bun-${process.platform}-${process.arch}`, "bin", "bun")
}

/** Builds PocketBase from the Go module registry when needed, which takes some minutes; resolves with its path. */
export const buildPocketBase = (): Promise<string> =>
  build("go", ["install", pocketbase], { name: pocketbase.split("@")[1] as string, program: "base" })

/** Builds the server in `go/`, with a C compiler for SQLite; resolves with its path. */
export const buildGo = (): Promise<string> =>
  build("go", ["install", "."], { name: "go", program: "petstore-bench-contestant", source: "go" })

/** Builds the server in `rust/`, with a C compiler for SQLite; resolves with its path. */
export const buildRust = (): Promise<string> =>
  build("cargo", ["build", "--release", "--locked"], {
    name: "rust",
    program: join("release", "petstore-bench-contestant"),
    source: "rust",
  })

/** `name` is the folder of the result; `source` a folder beside this file, whose builds are incremental. */
type Build = { name: string; program: string; source?: string }

async function build(tool: string, args: string[], { name, program, source }: Build): Promise<string> {
  const target = join(modules, ".built", name)
  const built = join(target, program)
  if (source === undefined && existsSync(built)) return built
  if (spawnSync("which", [tool]).status !== 0) throw new Error(`its build needs ${tool}, which is not installed`)
  mkdirSync(target, { recursive: true })
  const env = { ...process.env, GOBIN: target, CARGO_TARGET_DIR: target }
  await run(tool, args, { env, timeout: 3 * installTimeoutMs, ...(source && { cwd: join(directory, source) }) })
  return built
}

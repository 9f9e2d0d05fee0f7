// Runs in a process of its own.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "..")
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
const bin = (name: string) => join(root, "node_modules", ".bin", name)

async function passes(command: string, args: string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${stdout}\n${stderr}`)
  }
}

// Unchanged files are not checked again.
const incremental = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/types.tsbuildinfo"]

test("every file type-checks", () => passes(bin("tsc"), ["-p", ".", ...incremental]))
test("format and lint have no findings", () => passes(bin("biome"), ["ci", "--colors=off", "--error-on-warnings", "."]))
test("the OpenAPI description passes the strictest common rules", () =>
  passes(bin("redocly"), ["lint", "--config=.config/redocly.yaml", "openapi.json"]))

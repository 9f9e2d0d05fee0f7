// Runs in a process of its own.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "..")
/** The compiler collects its heap less often, which takes a quarter less time and an eighth more memory. */
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", GOGC: "400" }
const bin = (name: string) => join(root, "node_modules", ".bin", name)

async function passes(command: string, args: string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${stdout}\n${stderr}`)
  }
}

// Unchanged files are not checked again; several checkers, of which each infers the same types, take twice the processor time.
const quickly = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/types.tsbuildinfo", "--checkers", "1"]

test("every file type-checks", () => passes(bin("tsc"), ["-p", ".", ...quickly]))
test("format and lint have no findings", () => passes(bin("biome"), ["ci", "--colors=off", "--error-on-warnings", "."]))
test("the OpenAPI description passes the strictest common rules", () =>
  passes(bin("redocly"), ["lint", "--config=.config/redocly.yaml", "openapi.json"]))

/** Files with casts to types of src, which hide from the compiler what a port or a context has lost. The list only shrinks. */
const withCasts = ["test/conformance/store/samples.ts", "test/harness/malformed.ts"]

/** The casts of a test to a type of src, alone or within another one, and those to never, which fits every type. */
function castsIn(text: string): string[] {
  const own = new Set(
    [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]*)"/gm)]
      .filter(([, , from = ""]) => !/(^|\/)(harness|conformance)\/|^\.\/[^/]+\.test\.ts$/.test(from))
      .flatMap(([, names = ""]) => names.replaceAll(/\btype /g, "").match(/\w+/g) ?? []),
  )
  const isOwn = (type: string) => (type.match(/\w+/g) ?? []).some((name) => own.has(name))
  for (const [, name = "", type = ""] of text.matchAll(/^type (\w+) = (.*)/gm)) if (isOwn(type)) own.add(name)
  return [...text.matchAll(/\bas never\b|(?:\bas unknown|\{\}) as (?!unknown)([^,;)\n]*)/g)]
    .filter(([, type]) => type === undefined || isOwn(type))
    .map(([cast]) => cast)
}

test("tests build values of our own types without a cast, except in the files of a list", () => {
  const files = globSync(["src/**/*.test.ts", "test/**/*.ts"], { cwd: root }).filter(
    (file) => file !== "test/static.test.ts",
  )
  assert.ok(files.length > 500)
  const found = files.filter((file) => castsIn(readFileSync(join(root, file), "utf8")).length > 0)
  assert.deepEqual(found.sort(), withCasts)
})

test("a cast to an imported type is found, also within another one, and one to a type of a package is not", () => {
  const text = `import type { Store } from "../src/store.ts"
import { Socket } from "node:net"
type Deps = Parameters<typeof Store>[0]
const a = {} as unknown as Store
const b = {} as unknown as Deps
const c = d as never
const e = {} as unknown as Socket
const f = {} as unknown as { href: string }
const g = {} as Store`
  assert.deepEqual(castsIn(text), ["as unknown as Store", "as unknown as Deps", "as never", "{} as Store"])
})

import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { filesOf, plainFiles } from "../../test/harness/together.ts"
import { type Checkout, directoryNamed } from "./checkout.ts"

/** What a test file runs, by file of the source: stretches of functions as pairs of offsets; empty if it only loads the file. */
export type Reach = { passed: boolean; seconds: number; sources: Record<string, number[]> }

/** The program of decoders, which are killed when they are no longer needed: a killed process writes no coverage by itself. */
const killed = "src/imaging/worker-main.ts"
const writesFirst = `
import { takeCoverage } from "node:v8"
const { send } = process
process.send = (...report) => (takeCoverage(), send.apply(process, report))
`

type Cache = { key: string; reaches: Record<string, Reach & { hash: string }> }

/** Measures with V8's coverage what each plain test file runs, its processes included; keeps the result until a file changes. */
export async function measureReach(
  root: string,
  checkout: Checkout,
  concurrency: number,
  tell: (line: string) => void,
): Promise<Map<string, Reach>> {
  const cacheFile = join(root, "node_modules", ".cache", "mutants.json")
  const hash = (files: readonly string[]) => {
    const hash = createHash("sha256")
    for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
    return hash.digest("base64url")
  }
  const tests = [...plainFiles().values()].flat()
  const key = hash([
    ...filesOf(["src/**/!(*.test).ts", "test/!(slow)/**/!(*.test).ts"]),
    "package-lock.json",
    "bench/mutants/reach.ts",
  ])
  const cached = readCache(cacheFile, key)
  const reaches = new Map<string, Reach & { hash: string }>()
  const waiting = tests.filter((test) => {
    const known = cached[test]
    if (known?.hash !== hash([test])) return true
    reaches.set(test, known)
    return false
  })
  const total = waiting.length
  if (total > 0) tell(`measuring what ${total} of ${tests.length} test files run`)
  const work = async () => {
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      reaches.set(test, { ...(await measureTest(checkout, test)), hash: hash([test]) })
      const done = total - waiting.length
      if (done % 25 === 0) tell(`measured ${done} of ${total}`)
    }
  }
  const original = readFileSync(join(root, killed), "utf8")
  if (total > 0) writeFileSync(join(checkout.path, killed), original + writesFirst)
  await Promise.all(Array.from({ length: concurrency }, work))
  writeFileSync(join(checkout.path, killed), original)
  mkdirSync(join(cacheFile, ".."), { recursive: true })
  writeFileSync(cacheFile, JSON.stringify({ key, reaches: Object.fromEntries(reaches) } satisfies Cache))
  return reaches
}

function readCache(file: string, key: string): Cache["reaches"] {
  try {
    const cache: Cache = JSON.parse(readFileSync(file, "utf8"))
    return cache.key === key ? cache.reaches : {}
  } catch {
    return {}
  }
}

const timeoutMs = 180_000

async function measureTest(checkout: Checkout, test: string): Promise<Reach> {
  const coverage = directoryNamed(join("coverage", test.replaceAll("/", "-")))
  const start = performance.now()
  const ending = await checkout.run([test], { timeoutMs, coverage })
  const seconds = (performance.now() - start) / 1000
  // Some fail once on a busy machine.
  const passed = ending.passed || (await checkout.run([test], { timeoutMs, coverage })).passed
  const painted = new Map<string, Uint8Array>()
  for (const file of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, file), "utf8")) as { result: Script[] }
    for (const script of result) paint(checkout, script, painted)
  }
  rmSync(coverage, { recursive: true, force: true })
  return { passed, seconds, sources: Object.fromEntries([...painted].map(([file, bytes]) => [file, stretches(bytes)])) }
}

type Range = { startOffset: number; endOffset: number; count: number }
type Script = { url: string; functions: { ranges: Range[] }[] }

/** Marks each character of a source file that ran in a function; what starts with the file is the file itself. */
function paint(checkout: Checkout, { url, functions }: Script, painted: Map<string, Uint8Array>): void {
  const base = pathToFileURL(join(checkout.path, "src")).href
  if (!url.startsWith(`${base}/`) || !url.endsWith(".ts")) return
  const file = `src${url.slice(base.length)}`
  const before = painted.get(file)
  const inside = functions.filter(({ ranges }) => ranges[0]?.startOffset !== 0)
  const end = Math.max(0, ...functions.map(({ ranges }) => ranges[0]?.endOffset ?? 0))
  const now = new Uint8Array(Math.max(end, before?.length ?? 0))
  // Functions follow those that contain them, and so do the ranges of one function.
  for (const { ranges } of inside)
    for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  for (const [at, ran] of before?.entries() ?? []) if (ran) now[at] = 1
  painted.set(file, now)
}

function stretches(bytes: Uint8Array): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(1); at >= 0; ) {
    const end = bytes.indexOf(0, at)
    found.push(at, end < 0 ? bytes.length : end)
    at = end < 0 ? -1 : bytes.indexOf(1, end)
  }
  return found
}

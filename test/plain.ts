import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { run } from "node:test"
import { spec } from "node:test/reporters"
import { filesOf, groups, root } from "./harness/together.ts"

/** Runs every test that is not slow; what belongs to no group has a process of its own. */
const all = filesOf(["src/**/*.test.ts", "test/*.test.ts", "test/!(slow)/**/*.test.ts"])
const together = new Set(filesOf(Object.values(groups).flat()))
const entries = Object.keys(groups).map((group) => `test/together/${group}.ts`)
const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort())

keepFilesInMemory()
run({
  files: [...entries, ...all.filter((file) => !together.has(file))].map((file) => join(root, file)),
  concurrency: availableParallelism() + 2,
  execArgv: process.argv.slice(2),
  signal: stop.signal,
})
  .on("test:fail", () => {
    process.exitCode = 1
  })
  .compose(spec)
  .pipe(process.stdout)

/** Lets tests write into memory where there is plenty: on a disk they would wait for it half of the time. */
function keepFilesInMemory(): void {
  const memory = "/dev/shm"
  const bytesMin = 2 ** 31
  if (!existsSync(memory) || process.availableMemory() < 2 * bytesMin) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < bytesMin) return
  const directory = mkdtempSync(join(memory, "petstore-tests-"))
  // PostgreSQL runs as another user.
  chmodSync(directory, 0o711)
  process.env.TMPDIR = directory
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { applyMutants, type Mutant } from "./mutate.ts"

/** How test files ended: all passed, or the first file that failed, or they took too long. */
export type Ending = { passed: true } | { passed: false; file: string; isLate: boolean }

type RunOptions = { timeoutMs: number; coverage?: string }

/** A copy of the checkout in which the source can change. */
export type Checkout = {
  readonly path: string
  /** Applies these mutants, and no others. */
  apply(mutants: readonly Mutant[]): void
  /** Runs test files in one process, one after the other, until one fails. */
  run(files: readonly string[], options: RunOptions): Promise<Ending>
}

const temporary = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "petstore-mutants-"))
const running = new Set<ChildProcess>()

process.on("exit", () => {
  for (const { pid } of running) stop(pid)
  rmSync(temporary, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130))

/** A directory that is removed when this process ends. */
export const directoryNamed = (name: string): string => {
  const path = join(temporary, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** Copies what git does not ignore, and shares node_modules. */
export function copyCheckout(root: string, name: string): Checkout {
  const copy = directoryNamed(name)
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  for (const file of list.toString().split("\0"))
    if (file && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file), { mode: 0 })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  let changed = new Set<string>()
  return {
    path: copy,
    apply(mutants) {
      const byFile = Map.groupBy(mutants, ({ file }) => file)
      for (const file of changed) if (!byFile.has(file)) cpSync(join(root, file), join(copy, file))
      for (const [file, its] of byFile)
        writeFileSync(join(copy, file), applyMutants(readFileSync(join(root, file), "utf8"), its))
      changed = new Set(byFile.keys())
    },
    run: (files, options) => run(copy, files, options),
  }
}

const preloaded = ["untracked-promises", "open-handles"].map((name) => `--import=./test/harness/${name}.ts`)
/** From the last test to the end of the process, which something open delays. */
const exitTimeoutMs = 20_000
let runs = 0

function run(cwd: string, files: readonly string[], { timeoutMs, coverage }: RunOptions): Promise<Ending> {
  const [first = ""] = files
  const entry = files.length === 1 ? files : [join("bench", "mutants", "together.ts"), ...files]
  const temporaryFiles = directoryNamed(`run-${++runs}`)
  const child = spawn(process.execPath, [...preloaded, "--test-reporter=tap", ...entry], {
    cwd,
    detached: true,
    env: {
      ...process.env,
      TMPDIR: temporaryFiles,
      NODE_COMPILE_CACHE: join(temporary, "compiled"),
      ...(coverage && { NODE_V8_COVERAGE: coverage }),
    },
    stdio: ["ignore", "pipe", "ignore"],
  })
  running.add(child)
  let current = first
  let ending: Ending | undefined
  const fail = (isLate: boolean) => {
    ending ??= { passed: false, file: current, isLate }
    stop(child.pid)
  }
  let timer = setTimeout(() => fail(true), timeoutMs)
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    if (files.length > 1 && line.startsWith("# Subtest: ")) current = line.slice("# Subtest: ".length)
    if (line.startsWith("# tests ")) {
      clearTimeout(timer)
      timer = setTimeout(() => fail(true), exitTimeoutMs)
    }
    if (!coverage && /^ *not ok /.test(line) && !/ # (?:TODO|SKIP)/.test(line)) fail(false)
  })
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearTimeout(timer)
      running.delete(child)
      rmSync(temporaryFiles, { recursive: true, force: true })
      resolve(ending ?? (code === 0 ? { passed: true } : { passed: false, file: current, isLate: false }))
    }),
  )
}

/** Kills a process with its group. */
function stop(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

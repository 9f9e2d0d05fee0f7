import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type Client, type ClientOptions, createClient } from "../../src/client/client.ts"
import { type ApiContract, api } from "../../src/core/domain/api.ts"
import { temporaryDirectory } from "./directory.ts"

const root = join(import.meta.dirname, "..", "..")

export type SpawnOptions = {
  /** The data directory; by default a temporary one that disposing removes. */
  dataDir?: string
  /** Further environment variables: `PETSTORE_*` settings or others. */
  env?: Record<string, string>
  /** Starts through `bin/petstore serve`, as `npm start` does, instead of `src/main.ts` itself. */
  launcher?: boolean
  /** Makes it the leader of a new process group, like a terminal. */
  ownGroup?: boolean
  /** The source tree of another version of the service. */
  tree?: string
  /** A command that runs the service's command line, such as `["prlimit", "--fsize=1000000"]`. */
  under?: readonly string[]
}

/** Whether there is the command that limits what a process may write. */
export const hasPrlimit = (process.env.PATH ?? "").split(":").some((path) => existsSync(join(path, "prlimit")))

/** How a process ended: exit code or signal. */
type Ending = { code: number | null; signal: NodeJS.Signals | null }

/** The real service in a separate process, on a free port of 127.0.0.1. */
export type Spawned = AsyncDisposable & {
  /** Its address without the base path; changes with a restart. */
  readonly url: string
  readonly dataDir: string
  readonly databaseFile: string
  readonly pid: number
  /** Its output since the last start. */
  readonly stdout: string
  readonly stderr: string
  /** The first key in production, from the file that contains it. */
  readonly firstKey: string
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>
  /** The typed client with this API key; create a new one after a restart. */
  as(key: string, options?: Partial<ClientOptions>): Client<ApiContract>
  /** The first log line, past or future, with these fields. */
  logged(fields: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Sends a signal, by default SIGTERM, and resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<Ending>
  /** Starts it again on the same data, after it has ended; further settings replace earlier ones. */
  restart(env?: Record<string, string>): Promise<void>
}

/** Starts the service and waits until its log reports that it listens; rejects with its output when it ends before. */
export async function spawnPetstore(options: SpawnOptions = {}): Promise<Spawned> {
  const directory = temporaryDirectory()
  const dataDir = options.dataDir ?? join(directory.path, "data")
  let env = options.env ?? {}
  let run = await listening(launch({ ...options, dataDir, env })).catch((error) => {
    directory[Symbol.dispose]()
    throw error
  })

  return {
    dataDir,
    databaseFile: join(dataDir, "petstore.db"),
    get url() {
      return run.url
    },
    get pid() {
      return run.child.pid as number
    },
    get stdout() {
      return run.output.stdout
    },
    get stderr() {
      return run.output.stderr
    },
    get firstKey() {
      return readFileSync(join(dataDir, "first-admin-key.txt"), "utf8").trim()
    },
    get ended() {
      return run.ended
    },
    as: (key, more) => createClient(api, { url: run.url, headers: { api_key: key }, ...more }),
    logged: (fields) => run.logged(fields),
    kill(signal = "SIGTERM") {
      run.child.kill(signal)
      return run.ended
    },
    async restart(more = {}) {
      await run.ended
      env = { ...env, ...more }
      run = await listening(launch({ ...options, dataDir, env }))
    },
    async [Symbol.asyncDispose]() {
      run.child.kill("SIGKILL")
      await run.ended
      directory[Symbol.dispose]()
    },
  }
}

/** Runs the service until it exits without a signal; resolves with how it ended and its output. */
export async function runPetstore(options: SpawnOptions): Promise<Ending & { stdout: string; stderr: string }> {
  using directory = temporaryDirectory()
  const run = launch({ dataDir: join(directory.path, "data"), ...options })
  return { ...(await run.ended), ...run.output }
}

type Run = {
  child: ChildProcess
  output: { stdout: string; stderr: string }
  ended: Promise<Ending>
  logged(fields: Record<string, unknown>): Promise<Record<string, unknown>>
}

/** The variables with which programs of the tests are started, so that results do not depend on others. */
export const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => ["PATH", "HOME", "NODE_COMPILE_CACHE"].includes(name)),
) as Record<string, string>

function launch({ dataDir, env, launcher, ownGroup = false, tree = root, under = [] }: SpawnOptions): Run {
  const entry = launcher ? [join(tree, "bin", "petstore"), "serve"] : [process.execPath, join(tree, "src", "main.ts")]
  const [command, ...args] = [...under, ...entry] as [string, ...string[]]
  const child = spawn(command, args, {
    cwd: tree,
    detached: ownGroup,
    env: { ...inherited, PETSTORE_PORT: "0", PETSTORE_DATA_DIR: dataDir, ...env },
    // The IPC channel ends the service when the test process dies.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  const output = collect(child)
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }) as Ending)
  return { child, output, ended, logged: logOf(child, output, ended) }
}

function collect(child: ChildProcess): Run["output"] {
  const output = { stdout: "", stderr: "" }
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text
    })
  return output
}

async function listening(run: Run): Promise<Run & { url: string }> {
  const { address } = await run.logged({ msg: "listening" })
  return { ...run, url: address as string }
}

/** Follows the JSON lines of a log. When the process ends before the expected line, rejects with its output. */
function logOf(child: ChildProcess, output: Run["output"], ended: Promise<Ending>): Run["logged"] {
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const entry = readLine(line)
    if (entry === undefined) return
    lines.push(entry)
    for (const check of waiting) check()
  })

  return (fields) =>
    new Promise((resolve, reject) => {
      const check = () => {
        const entry = lines.find((line) => Object.entries(fields).every(([name, value]) => line[name] === value))
        if (entry === undefined) return false
        waiting.delete(check)
        resolve(entry)
        return true
      }
      if (check()) return
      waiting.add(check)
      void ended.then(({ code, signal }) => {
        if (check()) return
        const text = `${output.stdout}${output.stderr}`
        reject(new Error(`ended (${signal ?? code}) without logging ${JSON.stringify(fields)}; its output:\n${text}`))
      })
    })
}

/** A log entry; undefined for other text and for an incomplete last line of a killed process. */
function readLine(line: string): Record<string, unknown> | undefined {
  try {
    return line.startsWith("{") ? JSON.parse(line) : undefined
  } catch {
    return undefined
  }
}

/**
 * Runs the command line on the machine of the service with this data directory; resolves with how it ended and its output.
 * Checks `killWhen` every millisecond and kills the process once it returns true.
 */
export async function runOnMachine(
  dataDir: string,
  argv: readonly string[],
  killWhen?: () => boolean,
): Promise<Ending & { stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(root, "src", "cli", "main.ts"), ...argv], {
    cwd: root,
    env: { ...inherited, PETSTORE_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = collect(child)
  const watching = killWhen && setInterval(() => killWhen() && child.kill("SIGKILL"), 1)
  const [code, signal] = await once(child, "close")
  clearInterval(watching)
  return { code, signal, ...output }
}

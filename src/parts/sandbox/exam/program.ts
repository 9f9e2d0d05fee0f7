import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable, Writable } from "node:stream"
import { setTimeout as after } from "node:timers/promises"

/** A command that is examined: an adapter of a client, or an agent. */
export type ExaminedCommand = {
  command: string
  args: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
}

type RunningProgram = Pick<ChildProcessByStdio<Writable, Readable, Readable>, "stdin" | "stdout"> & {
  /** Resolves when it has ended, with the exit code: null after a signal. */
  exited: Promise<number | null>
  /** Ends its input and, unless it ends soon, kills it; also what it started. Resolves with how it ended, and the end of its complaint. */
  close(): Promise<string>
}

/** How long a program may take to end when it should, in milliseconds. */
const endingMs = 500

/** Characters of its last words: an observation has some more. */
const complaintLength = 300

/** Starts a program. Rejects when it cannot be started. */
export async function openProgram({ command, args, environment: env }: ExaminedCommand): Promise<RunningProgram> {
  // A group of its own, so that what it starts ends with it.
  const program = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true })
  await once(program, "spawn")
  let complaint = ""
  program.stderr.on("data", (bytes) => {
    complaint = `${complaint}${bytes}`.slice(-complaintLength)
  })
  // Of a program that has ended.
  program.stdin.on("error", () => undefined)
  const { stdin, stdout } = program
  const exited = once(program, "exit").then(([code]) => code)
  const closed = once(program, "close")
  function kill(): void {
    try {
      process.kill(-(program.pid as number), "SIGKILL")
    } catch {
      // All of it has ended.
    }
  }
  // Also when the command is interrupted.
  process.once("exit", kill)

  return {
    stdin,
    stdout,
    exited,
    async close() {
      stdin.end()
      await Promise.race([exited, after(endingMs)])
      kill()
      // What was not read would keep it open.
      stdout.destroy()
      process.off("exit", kill)
      const [code, signal] = await closed
      return `${signal ?? `exit code ${code}`}: ${complaint.trim()}`
    },
  }
}

/** The outcome of something that may take so long; undefined when it takes longer. */
export async function within<T>(ms: number, outcome: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController()
  const late = after(ms, undefined, { signal: patience.signal }).catch(() => undefined)
  try {
    return await Promise.race([outcome, late])
  } finally {
    patience.abort()
  }
}

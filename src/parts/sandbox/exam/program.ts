import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable, Writable } from "node:stream"
import { setTimeout as after } from "node:timers/promises"

/** A command that is examined: an adapter of a client, or an agent. */
export type ExaminedCommand = {
  command: string
  args: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Kills it when it is aborted. */
  signal?: AbortSignal
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
export async function openProgram({
  command,
  args,
  environment: env,
  signal,
}: ExaminedCommand): Promise<RunningProgram> {
  const program = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true })
  await once(program, "spawn")
  const group = groupOf(program, signal)
  let complaint = ""
  program.stderr.on("data", (bytes) => {
    complaint = `${complaint}${bytes}`.slice(-complaintLength)
  })
  // Of a program that has ended.
  program.stdin.on("error", () => undefined)
  const { stdin, stdout } = program
  const exited = once(program, "exit").then(([code]) => code)
  const closed = once(program, "close")

  return {
    stdin,
    stdout,
    exited,
    async close() {
      stdin.end()
      await Promise.race([exited, after(endingMs)])
      group[Symbol.dispose]()
      // What was not read would keep it open.
      stdout.destroy()
      const [code, signal] = await closed
      return `${signal ?? `exit code ${code}`}: ${complaint.trim()}`
    },
  }
}

/**
 * A program that was spawned detached, with all that it has started. It is killed by disposal, when the signal is aborted, and when this
 * process exits.
 */
export function groupOf({ pid }: ChildProcess, signal?: AbortSignal): Disposable & { kill(): void } {
  function kill(): void {
    try {
      process.kill(-(pid as number), "SIGKILL")
    } catch {
      // All of it has ended.
    }
  }
  process.once("exit", kill)
  signal?.addEventListener("abort", kill)
  if (signal?.aborted) kill()
  return {
    kill,
    [Symbol.dispose]() {
      kill()
      process.off("exit", kill)
      signal?.removeEventListener("abort", kill)
    },
  }
}

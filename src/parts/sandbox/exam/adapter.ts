import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable, Writable } from "node:stream"
import { setTimeout as after } from "node:timers/promises"
import { examinedBytesMax, readBoundedLines } from "../../../examiner/bounded-body.ts"
import { Missed, Unclaimed } from "../../../examiner/verdict.ts"
import type { AdapterAction, Said } from "./task.ts"

export type AdapterCommand = {
  command: string
  args: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
}

/** An attempt of a client must not take longer, in seconds. */
export const timeoutSeconds = 2

type AdapterLine = {
  task: string
  do: AdapterAction
  url: string
  key: string
  timeoutSeconds: number
  input: object
}

type RunningAdapter = {
  /** Writes a line to the adapter, and reads what it says. */
  say(line: AdapterLine): Promise<Said>
  close(): Promise<void>
}

type Program = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * Starts the program; it ends when its input does, or is killed. An action may take `patienceMs`. Rejects when it cannot be
 * started.
 */
export async function openAdapter(
  { command, args, environment: env }: AdapterCommand,
  patienceMs = 20_000,
): Promise<RunningAdapter> {
  // A group of its own, so that what it starts ends with it.
  const program: Program = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true })
  await once(program, "spawn")
  let complaint = ""
  program.stderr.on("data", (bytes) => {
    complaint = `${complaint}${bytes}`.slice(-2000)
  })
  // Of a program that has ended.
  program.stdin.on("error", () => undefined)
  const lines = readBoundedLines(program.stdout, examinedBytesMax)
  const exited = once(program, "exit")
  const ended = once(program, "close")
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
    async say(line) {
      program.stdin.write(`${JSON.stringify(line)}\n`)
      const patience = new AbortController()
      const late = after(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)
      const next = await Promise.race([lines.next(), late])
      patience.abort()
      if (next === undefined) throw new Missed(`nothing was said within ${patienceMs / 1000} seconds`)
      if (next.done) {
        const [code, signal] = await ended
        throw new Missed(`the adapter ended with ${signal ?? `exit code ${code}`}: ${complaint.trim()}`)
      }
      return readSaid(next.value)
    },
    async close() {
      program.stdin.end()
      await Promise.race([exited, after(500)])
      kill()
      // What was not read would keep it open.
      program.stdout.destroy()
      process.off("exit", kill)
      await ended
    },
  }
}

function readSaid(text: string): Said {
  let said: { result?: unknown; error?: unknown; unclaimed?: unknown }
  try {
    said = JSON.parse(text)
  } catch {
    throw new Missed(`the adapter wrote a line that is not JSON: ${text.slice(0, 200)}`)
  }
  if (said.unclaimed !== undefined) throw new Unclaimed(String(said.unclaimed))
  if (said.error !== undefined) return { error: String(said.error) }
  if ("result" in said) return { result: said.result }
  throw new Missed(`the adapter wrote a line without result, error or unclaimed: ${text.slice(0, 200)}`)
}

import { examinedBytesMax, readBoundedLines } from "../../../examiner/bounded-body.ts"
import { Missed, Unclaimed } from "../../../examiner/verdict.ts"
import { type ExaminedCommand, openProgram, within } from "./program.ts"
import type { AdapterAction, Said } from "./task.ts"

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

/**
 * Starts the program; it ends when its input does, or is killed. An action may take `patienceMs`. Rejects when it cannot be
 * started.
 */
export async function openAdapter(command: ExaminedCommand, patienceMs = 20_000): Promise<RunningAdapter> {
  const program = await openProgram(command)
  const lines = readBoundedLines(program.stdout, examinedBytesMax)
  return {
    async say(line) {
      program.stdin.write(`${JSON.stringify(line)}\n`)
      const next = await within(patienceMs, lines.next())
      if (next === undefined) throw new Missed(`nothing was said within ${patienceMs / 1000} seconds`)
      if (next.done) throw new Missed(`the adapter ended with ${await program.close()}`)
      return readSaid(next.value)
    },
    async close() {
      await program.close()
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

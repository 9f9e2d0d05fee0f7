import { examinedBytesMax, readBoundedLines } from "../../../examiner/bounded-body.ts"
import { Missed, Unclaimed, Unmeasured } from "../../../examiner/verdict.ts"
import { type ExaminedCommand, openProgram } from "./program.ts"
import type { AdapterAction, Said } from "./task.ts"
import { within } from "./within.ts"

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
 * Starts the program; it ends when its input does, or is killed. An action may take `patienceMs`. `show` has each line of the
 * talk. Rejects when it cannot be started.
 */
export async function openAdapter(
  command: ExaminedCommand,
  show: (line: string) => void = () => undefined,
  patienceMs = 20_000,
): Promise<RunningAdapter> {
  const program = await openProgram(command)
  const lines = readBoundedLines(program.stdout, examinedBytesMax)
  return {
    async say(line) {
      const text = JSON.stringify(line)
      show(`> ${text}`)
      program.stdin.write(`${text}\n`)
      const next = await within(patienceMs, lines.next())
      if (next === undefined) throw new Missed(`nothing was said within ${patienceMs / 1000} seconds`)
      if (next.done) throw new Unmeasured(`the adapter ended with ${await program.close()}`)
      show(`< ${next.value}`)
      return readSaid(next.value)
    },
    async close() {
      await program.close()
    },
  }
}

/** What the client reports is `error`; anything else that goes wrong is the adapter's, and says nothing of the client. */
function readSaid(text: string): Said {
  const said = readMembers(text)
  if (said.unclaimed !== undefined) throw new Unclaimed(String(said.unclaimed))
  if (said.failed !== undefined) throw new Unmeasured(`the adapter failed: ${said.failed}`)
  if (said.error !== undefined) return { error: String(said.error) }
  if ("result" in said) return { result: said.result }
  throw new Unmeasured(`the adapter wrote a line without result, error or unclaimed: ${text.slice(0, 200)}`)
}

function readMembers(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

import { examinedBytesMax, readBoundedLines } from "../../../../examiner/bounded-body.ts"
import { Missed } from "../../../../examiner/verdict.ts"
import { type ExaminedCommand, openProgram } from "../program.ts"
import { within } from "../within.ts"
import type { Agent, LastLine } from "./agent-task.ts"

/** What it left running keeps its output open for no longer, in milliseconds. */
const unreadMs = 500

/** An agent that is a command: it is started for each task, and may take `limitMs`. */
export const commandAgent =
  (examined: ExaminedCommand, limitMs = 120_000): Agent =>
  async ({ words, url, key }) => {
    const environment = { ...examined.environment, EXAM_TASK: words, MCP_URL: url, MCP_KEY: key }
    const program = await openProgram({ ...examined, args: [...examined.args, words], environment })
    program.stdin.end(words)
    let line: LastLine | undefined
    const reading = forEachLine(program.stdout, (text) => {
      line = readLine(text) ?? line
    })
    const code = await within(limitMs, program.exited)
    await within(unreadMs, reading)
    const ending = await program.close()
    if (code === undefined) throw new Missed(`the command did not end within ${limitMs / 1000} seconds`)
    if (code !== 0) throw new Missed(`the command ended with ${ending}`)
    return line
  }

async function forEachLine(output: AsyncIterable<Uint8Array>, read: (text: string) => void): Promise<void> {
  for await (const text of readBoundedLines(output, examinedBytesMax)) read(text)
}

/** The JSON object that is a line, as models also write it: `{"count": 1}`. */
function readLine(text: string): LastLine | undefined {
  const json = text.trim().replace(/^`+|`+$/g, "")
  if (!json.startsWith("{")) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

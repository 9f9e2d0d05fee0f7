import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { Interrupted } from "../command/command.ts"

/** Reads a line from the terminal without echo; rejects with Interrupted on Ctrl-C and Ctrl-D. */
export function askSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  // Print the prompt after readline has disabled the echo.
  process.stderr.write(question)
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve)
    // Also after Ctrl-C, for which nothing else listens.
    lines.once("close", () => reject(new Interrupted("SIGINT")))
  }).finally(() => {
    lines.close()
    process.stderr.write("\n")
  })
}

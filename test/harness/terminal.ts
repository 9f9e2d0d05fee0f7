import { plain, type Terminal } from "../../src/cli/command/command.ts"

type Options = Partial<Omit<Terminal, "stdin">> & { stdin?: string | Uint8Array }

/** A terminal of the command line that keeps what is written to it; by default not a real one, and without input. */
export function recordTerminal({ stdin = "", ...options }: Options = {}): {
  terminal: Terminal
  written: { out: string; err: string }
} {
  const written = { out: "", err: "" }
  const terminal: Terminal = {
    stdin: (async function* () {
      yield typeof stdin === "string" ? Buffer.from(stdin) : stdin
    })(),
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    redraw: (line) => {
      written.err += `\r\u001b[K${line}`
    },
    paint: { out: plain, err: plain },
    width: undefined,
    isTerminal: false,
    ...options,
  }
  return { terminal, written }
}

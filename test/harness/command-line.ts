import { type Outside, run } from "../../src/cli/run.ts"
import { systemClock } from "../../src/kernel/clock.ts"

/** How a run of the command line ended and what it wrote. */
export type Ran = { code: number; out: string; err: string }

/** Runs the command line in this process against a service, with its sandbox key unless told otherwise. */
export async function petstoreCommand(
  url: string,
  argv: readonly string[],
  { stdin = "", ...outside }: Partial<Outside> & { stdin?: string | Uint8Array } = {},
): Promise<Ran> {
  const written = { out: "", err: "" }
  const code = await run(argv, {
    terminal: {
      stdin: (async function* () {
        yield typeof stdin === "string" ? Buffer.from(stdin) : stdin
      })(),
      out: (text) => {
        written.out += text
      },
      err: (text) => {
        written.err += text
      },
      isTerminal: false,
    },
    settings: { url, apiKey: undefined, token: undefined },
    version: "0.0.0",
    clock: systemClock,
    pause: async () => {},
    databaseFile: () => "/nowhere/petstore.db",
    ...outside,
  })
  return { code, ...written }
}

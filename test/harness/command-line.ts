import { type Outside, run } from "../../src/cli/run.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { temporaryDirectory } from "./directory.ts"
import { recordTerminal } from "./terminal.ts"

/** Exit code and output of a run of the command line. */
export type Ran = { code: number; out: string; err: string }

let state: string | undefined

/** The directory where commands of this process keep their state; removed when the process exits. */
function stateDirectory(): string {
  if (state === undefined) {
    const { path, [Symbol.dispose]: remove } = temporaryDirectory()
    process.once("exit", remove)
    state = path
  }
  return state
}

type Given = Partial<Outside> & { stdin?: string | Uint8Array; isTerminal?: boolean }

/** Runs the command line in this process against a service, by default with its sandbox key. */
export async function petstoreCommand(
  url: string,
  argv: readonly string[],
  { stdin = "", isTerminal = false, ...outside }: Given = {},
): Promise<Ran> {
  const { terminal, written } = recordTerminal({ stdin, isTerminal })
  const code = await run(argv, {
    terminal,
    settings: { url, apiKey: undefined, token: undefined },
    stateDir: stateDirectory(),
    version: "0.0.0",
    clock: systemClock,
    interrupted: new AbortController().signal,
    environment: process.env,
    pause: async () => {},
    administer: async () => ({}),
    askRunning: async () => undefined,
    databaseFile: () => "/nowhere/petstore.db",
    maintenance: () => Promise.reject(new Error("no maintenance in this test")),
    ...outside,
  })
  return { code, ...written }
}

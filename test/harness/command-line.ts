import { type Outside, run } from "../../src/cli/run.ts"
import { readConfig, readLocations } from "../../src/config.ts"
import type { Environment } from "../../src/core/config/setting.ts"
import { systemClock } from "../../src/core/kernel/clock.ts"
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

/** The machine with these settings. */
export const machineWith = (env: Environment): Pick<Outside, "readConfig" | "readLocations"> => ({
  readConfig: () => readConfig(env),
  readLocations: (settings) => readLocations({ ...env, ...settings }),
})

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
    ...machineWith({ PETSTORE_DATA_DIR: "/nowhere" }),
    ...outside,
  })
  return { code, ...written }
}

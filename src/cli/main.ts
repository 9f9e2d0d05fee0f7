import { setTimeout as after } from "node:timers/promises"
import manifest from "../../package.json" with { type: "json" }
import { readClientConfig, readConfig } from "../config.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { systemClock } from "../kernel/clock.ts"
import { run } from "./run.ts"

/** Runs the command line of this process. */
async function start(): Promise<number> {
  return run(process.argv.slice(2), {
    terminal: {
      stdin: process.stdin,
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      isTerminal: process.stderr.isTTY === true,
    },
    settings: readClientConfig(process.env),
    version: manifest.version,
    clock: systemClock,
    pause: (ms) => after(ms),
    databaseFile: () => readConfig(process.env).databaseFile,
  })
}

// The reader of a pipe may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
// Started by bin/petstore.mjs: this process ends when the launcher does, and the channel does not keep it alive.
if (process.connected) {
  process.on("disconnect", () => process.exit(1))
  process.channel?.unref()
}

start().then(
  (code) => {
    process.exitCode = code
  },
  (error: Error) => {
    process.stderr.write(`petstore: ${error instanceof CannotStart ? error.message : error.stack}\n`)
    process.exitCode = error instanceof CannotStart ? 2 : 1
  },
)

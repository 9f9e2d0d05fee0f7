import { homedir } from "node:os"
import { setTimeout as after } from "node:timers/promises"
import { styleText } from "node:util"
import { readClientConfig, readConfig, readLocations } from "../config.ts"
import { CannotStart } from "../core/kernel/cannot-start.ts"
import { steadyClock, systemClock } from "../core/kernel/clock.ts"
import { version } from "../program.ts"
import type { Paint } from "./command/command.ts"
import { run } from "./run.ts"
import { askSecret } from "./terminal/ask-secret.ts"
import { interruptionSignal } from "./terminal/interruption.ts"

const interrupted = interruptionSignal(process, steadyClock)

/** Colours as Node decides them for a stream: none when it is not a terminal or with `NO_COLOR`. */
const paintOf =
  (stream: NodeJS.WriteStream): Paint =>
  (format, text) =>
    styleText(format, text, { stream })

async function start(): Promise<number> {
  const { stateDir, ...settings } = readClientConfig(process.env, homedir())
  return run(process.argv.slice(2), {
    terminal: {
      stdin: process.stdin,
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      redraw: (line) => void process.stderr.write(`\r\u001b[K${line}`),
      paint: { out: paintOf(process.stdout), err: paintOf(process.stderr) },
      width: process.stdout.columns,
      isTerminal: process.stderr.isTTY === true,
      askSecret: process.stdin.isTTY && process.stderr.isTTY ? askSecret : undefined,
    },
    settings,
    stateDir,
    version,
    clock: systemClock,
    interrupted,
    environment: process.env,
    pause: (ms, signal) => after(ms, undefined, signal && { signal }).catch(() => undefined),
    readConfig: () => readConfig(process.env),
    readLocations: (settings) => readLocations({ ...process.env, ...settings }),
  })
}

// The reader of a pipe may stop early, such as `head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
// Started with a channel, as by tests: exit when the parent process does; the channel must not keep this process alive.
if (process.connected) {
  process.on("disconnect", () => process.exit(1))
  process.channel?.unref()
}

start().then(
  (code) => {
    process.exitCode = code
    // Do not wait for pending work of an interrupted command.
    if (interrupted.aborted) process.exit()
  },
  (error: Error) => {
    process.stderr.write(`petstore: ${error instanceof CannotStart ? error.message : error.stack}\n`)
    process.exitCode = error instanceof CannotStart ? 2 : 1
  },
)

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fstatSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serviceSettings } from "../../config.ts"
import { describeDefault } from "../../core/config/setting.ts"
import { command, programFile } from "../../program.ts"
import { isOn, type OwnCommand, one, UsageError, type World } from "../command/command.ts"

/** The launcher runs `petstore serve` without flags as src/main.ts; with flags, this starts it with further settings. */
export const serve: OwnCommand = {
  name: "serve",
  summary: "Start the service",
  description:
    "Settings are environment variables. The flags are for programs that start it, such as tests: it stops in order when " +
    "standard input, if that is a pipe, is closed, and when the program ends.",
  endsItself: true,
  flags: [
    { name: "ephemeral", meaning: "Keep the data in a temporary directory, and delete it at the end" },
    { name: "port", value: "N", meaning: "Port to listen on; 0 selects a free one" },
    { name: "print-url", meaning: "Print the URL alone, once the service is ready; its log goes to standard error" },
  ],
  environment: serviceSettings.map((setting) => [
    setting.variable,
    `${setting.meaning}. Default: ${describeDefault(setting)}`,
  ]),

  async run(input, world) {
    const isEphemeral = isOn(input, "ephemeral")
    const printsUrl = isOn(input, "print-url")
    const port = one(input, "port")
    if (!isEphemeral && !printsUrl && port === undefined)
      throw new UsageError(`the service is started by the launcher: ${command} serve`)
    using taken = new DisposableStack()
    const directory = isEphemeral ? mkdtempSync(join(tmpdir(), "petstore-")) : undefined
    if (directory !== undefined) taken.defer(() => rmSync(directory, { recursive: true, force: true }))
    const settings = {
      ...(port !== undefined && { PETSTORE_PORT: port }),
      ...(directory !== undefined && { PETSTORE_DATA_DIR: directory }),
    }
    const service = spawn(programFile("../bin/petstore"), ["serve"], {
      env: { ...world.environment, ...settings },
      // It stops in order once the channel is closed, also when this process is killed.
      stdio: ["ignore", printsUrl ? process.stderr.fd : "inherit", "inherit", "ipc"],
    })
    if (printsUrl) service.once("message", (url) => world.terminal.out(`${url}\n`))
    return await endOf(service, world)
  },
}

/** Resolves with the exit code of the service, which stops when this command is interrupted or its input ends. */
async function endOf(service: ChildProcess, { interrupted }: World): Promise<number> {
  const stop = () => service.connected && service.disconnect()
  interrupted.addEventListener("abort", stop)
  const { stdin } = process
  const input = fstatSync(stdin.fd)
  if (input.isFIFO() || input.isSocket()) stdin.once("end", stop).resume().unref()
  const [code] = await once(service, "exit")
  return code ?? 1
}

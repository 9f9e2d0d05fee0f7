import { fstatSync } from "node:fs"
import { serviceSettings } from "../../config.ts"
import { describeDefault } from "../../core/config/setting.ts"
import { command } from "../../program.ts"
import { isOn, type OwnCommand, one, UsageError } from "../command/command.ts"
import { endOfService, openTemporaryDirectory, spawnService, stopService } from "../service/spawn-service.ts"

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
    using directory = isEphemeral ? openTemporaryDirectory() : undefined
    const settings = {
      ...(port !== undefined && { PETSTORE_PORT: port }),
      ...(directory && { PETSTORE_DATA_DIR: directory.path }),
    }
    const service = spawnService({ ...world.environment, ...settings }, printsUrl ? process.stderr.fd : "inherit")
    if (printsUrl) service.once("message", (url) => world.terminal.out(`${url}\n`))
    const { stdin } = process
    const source = fstatSync(stdin.fd)
    if (source.isFIFO() || source.isSocket())
      stdin
        .once("end", () => stopService(service))
        .resume()
        .unref()
    return await endOfService(service, world.interrupted)
  },
}

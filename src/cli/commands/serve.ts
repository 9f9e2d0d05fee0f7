import { serviceSettings } from "../../config.ts"
import { describeDefault } from "../../core/config/setting.ts"
import { command } from "../../program.ts"
import { type OwnCommand, UsageError } from "../command/command.ts"

/** For the help only: the launcher runs `petstore serve` as src/main.ts. */
export const serve: OwnCommand = {
  name: "serve",
  summary: "Start the service",
  description: "Takes no flags. Settings are environment variables.",
  environment: serviceSettings.map((setting) => [
    setting.variable,
    `${setting.meaning}. Default: ${describeDefault(setting)}`,
  ]),
  run: async () => {
    throw new UsageError(`the service is started by the launcher: ${command} serve`)
  },
}

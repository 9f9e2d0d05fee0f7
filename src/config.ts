import { type Config, clientConfigIn, locationsIn, readConfigWith } from "./core/config/config.ts"
import type { Environment } from "./core/config/setting.ts"
import { coreTopics, refuseUnknown, settingsOf, type VariablesOf } from "./core/config/settings.ts"
import type { Locations } from "./core/storage/locations.ts"
import { sandboxSettings } from "./parts/sandbox/settings.ts"

/** The settings of parts. */
const ofParts = [sandboxSettings] as const

const { commandLine: _, ...serviceTopics } = coreTopics

/** Every setting, in the order of the documentation. */
export const settings = settingsOf(ofParts, coreTopics)
export const serviceSettings = settingsOf(ofParts, serviceTopics)
/** The name of a setting's environment variable. */
export type SettingName = VariablesOf<typeof coreTopics> | VariablesOf<{ sandbox: typeof sandboxSettings }>

/** Throws CannotStart for the first invalid setting. */
export const readConfig = (env: Environment): Config => readConfigWith(ofParts, env)

/** Reads only the locations of the data; throws CannotStart for an unknown name and the first invalid value. */
export function readLocations(env: Environment): Locations {
  refuseUnknown(env, settings)
  return locationsIn(env)
}

/** Reads the settings of the command line; throws CannotStart for an unknown name. */
export function readClientConfig(env: Environment, homeDir: string) {
  refuseUnknown(env, settings)
  return clientConfigIn(env, homeDir)
}

import { CannotStart } from "../kernel/cannot-start.ts"
import { findNearest } from "../kernel/did-you-mean.ts"
import { commandLine } from "./command-line.ts"
import { logging, telemetry } from "./observability.ts"
import { photoBytes, plans } from "./plans.ts"
import { policy } from "./policy.ts"
import { retention } from "./retention.ts"
import { security } from "./security.ts"
import { server } from "./server.ts"
import { type Environment, isFromKubernetes, type Setting, type Topic } from "./setting.ts"
import { storage } from "./storage.ts"

const topics = {
  server,
  storage,
  plans,
  photoBytes,
  policy,
  retention,
  logging,
  telemetry,
  security,
  commandLine,
} as const

type Topics = typeof topics
type VariableOf<T> = T extends { variable: infer V extends string } ? V : never
/** The name of a setting's environment variable. */
export type SettingName = { [T in keyof Topics]: VariableOf<Topics[T][keyof Topics[T]]> }[keyof Topics]

const { commandLine: _, ...serviceTopics } = topics
const settingsOf = (some: object): readonly Setting[] =>
  Object.values(some).flatMap((topic: Topic): Setting[] => Object.values(topic))

/** Every setting, in the order of the documentation. */
export const settings = settingsOf(topics)
export const serviceSettings = settingsOf(serviceTopics)

const names = new Set(settings.map(({ variable }) => variable))

/** Throws CannotStart for a variable that starts with `PETSTORE_` and is not a setting. */
export function refuseUnknown(env: Environment): void {
  for (const name of Object.keys(env))
    if (name.startsWith("PETSTORE_") && !names.has(name) && !isFromKubernetes(name, env))
      throw new CannotStart(`${name} is not a setting${suggestSetting(name)}`)
}

/** Compares names without their common prefix, which would make all settings look similar. */
function suggestSetting(name: string): string {
  const prefix = "PETSTORE_"
  const own = [...names].filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
  const near = findNearest(name.slice(prefix.length), own)
  return near === undefined ? "; docs/configuration.md lists all of them" : `. Did you mean ${prefix}${near}?`
}

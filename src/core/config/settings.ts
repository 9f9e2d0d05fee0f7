import { CannotStart } from "../kernel/cannot-start.ts"
import { findNearest } from "../kernel/did-you-mean.ts"
import { commandLine } from "./command-line.ts"
import { logging, telemetry } from "./observability.ts"
import { photoBytes, plans } from "./plans.ts"
import { policy } from "./policy.ts"
import { retention } from "./retention.ts"
import { security } from "./security.ts"
import { connections, server } from "./server.ts"
import { type Environment, isFromKubernetes, type Setting, type Topic } from "./setting.ts"
import { storage } from "./storage.ts"

/** The topics of the core, in the order of the documentation; those of parts stand after the first. */
export const coreTopics = {
  server,
  connections,
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

type CoreTopics = typeof coreTopics
type VariableOf<T> = T extends { variable: infer V extends string } ? V : never
/** The names of the environment variables of topics. */
export type VariablesOf<Topics> = { [T in keyof Topics]: VariableOf<Topics[T][keyof Topics[T]]> }[keyof Topics]

/** Every setting, in the order of the documentation. */
export const settingsOf = (parts: readonly Topic[], { server: first, ...others }: Partial<CoreTopics>): Setting[] =>
  [first ?? {}, ...parts, ...Object.values(others)].flatMap((topic: Topic): Setting[] => Object.values(topic))

/** Throws CannotStart for a variable that starts with `PETSTORE_` and is none of these settings. */
export function refuseUnknown(env: Environment, settings: readonly Setting[]): void {
  const names = new Set(settings.map(({ variable }) => variable))
  for (const name of Object.keys(env))
    if (name.startsWith("PETSTORE_") && !names.has(name) && !isFromKubernetes(name, env))
      throw new CannotStart(`${name} is not a setting${suggestSetting(name, names)}`)
}

/** Compares names without their common prefix, which would make all settings look similar. */
function suggestSetting(name: string, names: ReadonlySet<string>): string {
  const prefix = "PETSTORE_"
  const own = [...names].filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
  const near = findNearest(name.slice(prefix.length), own)
  return near === undefined ? "; docs/configuration.md lists all of them" : `. Did you mean ${prefix}${near}?`
}

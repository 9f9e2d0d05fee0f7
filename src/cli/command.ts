import type { Client } from "../client/client.ts"
import type { Api } from "../domain/api.ts"
import type { Clock } from "../kernel/clock.ts"

/** A `--flag` of a command. */
export type Flag = {
  /** In kebab-case, without the dashes. */
  name: string
  /** What stands for its value in the help; a switch has none. */
  value?: string
  meaning: string
  required?: true
  /** May be given several times. */
  many?: true
}

/** A word a command takes by its place. */
type Argument = { name: string; meaning: string }

/** What a command was given: arguments by name, and by flag every value it was given with. */
export type Given = {
  arguments: Record<string, string>
  flags: Record<string, readonly (string | boolean)[]>
}

/** What a person types after `petstore`. */
export type Command = {
  /** A verb (`import`), or a noun and a verb (`pets get`). */
  name: string
  summary: string
  description?: string
  arguments: readonly Argument[]
  flags: readonly Flag[]
  /** Does it and answers the exit code: 0 when all was done, 1 when something was not. */
  run(given: Given, world: World): Promise<number>
}

/** Where a run reads and writes. */
export type Terminal = {
  stdin: AsyncIterable<Uint8Array>
  out(text: string): void
  err(text: string): void
  /** Whether a person watches what `err` writes, so that a line may be drawn again. */
  watched: boolean
}

/** Everything a command touches outside itself. */
export type World = {
  terminal: Terminal
  service: Service
  /** Answers for machines: exactly what the service said, as JSON. */
  json: boolean
  clock: Clock
  /** Resolves after that many milliseconds. */
  pause(ms: number): Promise<void>
  /** The file of the embedded database a service started here would use; throws when the settings cannot be used. */
  databaseFile(): string
}

/** The service a run talks to. */
export type Service = {
  /** Without the base path and a trailing slash. */
  url: string
  /** Whether the address is this machine's own. */
  isLocal: boolean
  /** Where the credential came from; `sandbox` is the well-known key, used because none was given. */
  credential: "given" | "sandbox" | "none"
  client: Client<Api>
}

/** The command line itself is wrong; the message says how to write it. */
export class UsageError extends Error {}

/** The service asks for more patience than a command has; doing it again later continues. */
export class GivenUp extends Error {}

/** The only value of a flag, or undefined when it was not given. */
export const one = (given: Given, flag: string): string | undefined => given.flags[flag]?.[0] as string | undefined

/** Whether a switch is on. */
export const isOn = (given: Given, flag: string): boolean => given.flags[flag]?.[0] === true

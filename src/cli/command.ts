import type { Client } from "../client/client.ts"
import type { Api } from "../domain/api.ts"
import type { Clock } from "../kernel/clock.ts"

/** A `--flag` of a command. */
export type Flag = {
  /** In kebab-case, without the dashes. */
  name: string
  /** The placeholder of its value in the help; a switch has none. */
  value?: string
  meaning: string
  /** Every value it takes, when there is a fixed set. */
  choices?: readonly string[]
  required?: true
  /** May be given several times. */
  many?: true
}

/** A positional argument. */
type Argument = { name: string; meaning: string; choices?: readonly string[] }

/** What a command was given: arguments by name, and every value of each flag. */
export type Given = {
  arguments: Record<string, string>
  flags: Record<string, readonly (string | boolean)[]>
}

/** One command of `petstore`. */
export type Command = {
  /** A verb (`import`), or a noun and a verb (`pets get`). */
  name: string
  summary: string
  description?: string
  arguments: readonly Argument[]
  flags: readonly Flag[]
  /** Runs the command and resolves with the exit code: 0 when everything was done, 1 when something was not. */
  run(given: Given, world: World): Promise<number>
}

/** Standard input and output. */
export type Terminal = {
  stdin: AsyncIterable<Uint8Array>
  out(text: string): void
  err(text: string): void
  /** Whether `err` is a terminal, on which a line may be redrawn. */
  isTerminal: boolean
}

/** Everything outside the process that a command uses. */
export type World = {
  terminal: Terminal
  service: Service
  /** Whether to print responses as JSON, unchanged. */
  json: boolean
  clock: Clock
  /** Resolves after that many milliseconds. */
  pause(ms: number): Promise<void>
  /** The database file a service started here would use; throws when the settings are not valid. */
  databaseFile(): string
}

/** The service a command talks to. */
export type Service = {
  /** Without base path and trailing slash. */
  url: string
  /** Whether the address is this machine. */
  isLocal: boolean
  /** Where the credential came from; `sandbox` is the well-known key, used because none was given. */
  credential: "given" | "sandbox" | "none"
  client: Client<Api>
}

/** The command line is not valid; the message says why. */
export class UsageError extends Error {}

/** A command stopped waiting for the service; running it again later continues. */
export class GivenUp extends Error {}

/** The only value of a flag, or undefined when it was not given. */
export const one = (given: Given, flag: string): string | undefined => given.flags[flag]?.[0] as string | undefined

/** Whether a switch is on. */
export const isOn = (given: Given, flag: string): boolean => given.flags[flag]?.[0] === true

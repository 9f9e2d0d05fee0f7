import { constants } from "node:os"
import type { Client } from "../client/client.ts"
import type { Following, Told } from "../client/follow.ts"
import type { AdminAnswer, AdminRequest, Maintenance } from "../domain/admin/contract.ts"
import type { Api } from "../domain/api.ts"
import type { sandbox } from "../domain/sandbox/contract.ts"
import type { Clock } from "../kernel/clock.ts"

/** A `--flag` of a command. */
export type Flag = {
  /** In kebab-case, without the dashes. */
  name: string
  /** One letter that stands for it, behind a single dash. */
  short?: string
  /** The placeholder of its value in the help; a switch has none. */
  value?: string
  meaning: string
  /** Every value it takes, when there is a fixed set. */
  choices?: readonly string[]
  required?: true
  /** May be given several times. */
  many?: true
  /** Its value is a secret, which others can read in the list of processes; says what to do instead. */
  secret?: string
}

type Argument = { name: string; meaning: string; choices?: readonly string[] }

/** What a command was given: arguments by name, and every value of each flag. */
export type CommandInput = {
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
  /** The environment variables that configure it, each with its meaning. */
  environment?: [variable: string, meaning: string][]
  /** Said when the command is interrupted, such as that running it again continues. */
  whenInterrupted?: string
  /** Ends by itself when `interrupted` is aborted, because there is something to finish. Others are left where they are. */
  endsItself?: true
  /** Runs the command and resolves with the exit code: 0 when everything was done, 1 when something was not, 3 when a backup lacks images. */
  run(given: CommandInput, world: World): Promise<number>
}

/** A command as its file states it: arguments and flags only where it has any. */
export type OwnCommand = Omit<Command, "arguments" | "flags"> & Partial<Pick<Command, "arguments" | "flags">>

/** Standard input and output. */
export type Terminal = {
  stdin: AsyncIterable<Uint8Array>
  out(text: string): void
  err(text: string): void
  /** Whether `err` is a terminal, on which a line may be redrawn. */
  isTerminal: boolean
  /** Asks for a line without showing what is typed; undefined when standard input is no terminal. */
  askSecret?: ((question: string) => Promise<string>) | undefined
}

/** Everything outside the process that a command uses. */
export type World = {
  terminal: Terminal
  service: Service
  /** Whether to print responses as JSON, unchanged. */
  json: boolean
  /** Has something done by the service on this machine, or to its files while it is stopped. Throws CannotStart. */
  administer(request: AdminRequest): Promise<AdminAnswer>
  /** Asks the service that runs on this machine's files; undefined when none does. */
  askRunning(request: AdminRequest): Promise<AdminAnswer | undefined>
  /** Where this user's logins are kept, and how far imports are. */
  stateDir: string
  version: string
  clock: Clock
  /** Aborted, with Interrupted as the reason, when somebody ends the command: Ctrl-C, SIGTERM, SIGHUP. */
  interrupted: AbortSignal
  /** Resolves after that many milliseconds, or when `signal` aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>
  /** The database file a service started here would use, if it is one; throws when the settings are not valid. */
  databaseFile(): string | undefined
  /** Loaded when it is needed; throws CannotStart when the settings are not valid. */
  maintenance(): Promise<Maintenance>
}

/** The service a command talks to. */
export type Service = {
  /** Without base path and trailing slash. */
  url: string
  isLocal: boolean
  /** What is sent, and in words where it came from; `sandbox` is the well-known key, used because there is nothing else. */
  credential: { kind: "given" | "login" | "sandbox" | "none"; from: string }
  client: Client<Api & typeof sandbox>
  /** The events of the service as they happen, until the signal is aborted. */
  follow(following: Omit<Following, "url" | "headers">): AsyncGenerator<Told, void>
}

/** The command line is not valid; the message says why. */
export class UsageError extends Error {}

/** A command stopped waiting for the service; running it again later continues. */
export class RetriesExhausted extends Error {}

/** The person ended the command, or the system did. */
export class Interrupted extends Error {
  /** As a shell has it for what a signal ended: 130 for Ctrl-C. */
  readonly exitCode: number

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP") {
    super(`ended by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** The only value of a flag, or undefined when it was not given. */
export const one = (given: CommandInput, flag: string): string | undefined =>
  given.flags[flag]?.[0] as string | undefined

/** Whether a switch is on. */
export const isOn = (given: CommandInput, flag: string): boolean => given.flags[flag]?.[0] === true

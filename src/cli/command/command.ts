import { once } from "node:events"
import { constants } from "node:os"
import type { Client } from "../../client/client.ts"
import type { Following, StreamedEvent as Told } from "../../client/receiving/follow.ts"
import type { Config } from "../../core/config/config.ts"
import type { ApiContract } from "../../core/domain/api.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import type { Locations } from "../../core/storage/locations.ts"

export type Flag = {
  /** In kebab-case, without the dashes. */
  name: string
  /** Its one-letter form, after a single dash. */
  short?: string
  /** Placeholder of its value in the help; a switch has none. */
  value?: string
  meaning: string
  /** All accepted values, when they are a fixed set. */
  choices?: readonly string[]
  required?: true
  /** May be repeated. */
  many?: true
  /** For a secret, which the list of processes exposes: advice on what to do instead. */
  secret?: string
}

/** A flag of all commands; one may change the address of the service. Throws UsageError for an invalid value. */
export type GlobalFlag = Flag & { locate?(url: string, value: string): string }

type Argument = {
  name: string
  meaning: string
  choices?: readonly string[]
  /** It may be absent; only the last one. */
  isOptional?: true
}

/** The parsed input of a command: arguments by name, and all values of each flag. */
export type CommandInput = {
  arguments: Record<string, string>
  flags: Record<string, readonly (string | boolean)[]>
  /** What follows the arguments of a command that takes more. */
  rest: readonly string[]
}

export type Command = {
  /** A verb (`import`), or a noun and a verb (`pets get`). */
  name: string
  summary: string
  description?: string
  arguments: readonly Argument[]
  /** It takes any number of further arguments: a command line of another program, after `--`. */
  rest?: Argument
  flags: readonly Flag[]
  /** Environment variables that configure it. */
  environment?: [variable: string, meaning: string][]
  /** Printed when the command is interrupted. */
  whenInterrupted?: string
  /** The command handles `interrupted` itself, because it has work to finish. Others are abandoned. */
  endsItself?: true
  /** Runs the command; resolves with the exit code: 0 success, 1 failure, 3 a backup without some images. */
  run(input: CommandInput, world: World): Promise<number>
}

/** A hand-written command: arguments and flags are optional. */
export type OwnCommand = Omit<Command, "arguments" | "flags"> & Partial<Pick<Command, "arguments" | "flags">>

/** Formats a text for a terminal; for anything else it returns the text unchanged. */
export type Paint = (format: "bold" | "red" | "green", text: string) => string

/** Formats nothing, for output that is not a terminal. */
export const plain: Paint = (_format, text) => text

/** Standard input and output. */
export type Terminal = {
  stdin: AsyncIterable<Uint8Array>
  out(text: string): void
  err(text: string): void
  /** Replaces the last line of `err`, which a terminal shows without its end. */
  redraw(line: string): void
  paint: Record<"out" | "err", Paint>
  /** Columns of `out`; undefined when it is not a terminal. */
  width: number | undefined
  /** Whether `err` is a terminal, so that lines can be redrawn. */
  isTerminal: boolean
  /** Reads a line without echo; undefined when standard input is not a terminal. */
  askSecret?: ((question: string) => Promise<string>) | undefined
}

/** The dependencies of commands. */
export type World = {
  terminal: Terminal
  service: Service
  /** Print responses as JSON, unchanged. */
  json: boolean
  /** Directory of this user's logins and the progress of imports. */
  stateDir: string
  version: string
  clock: Clock
  /** Aborted with Interrupted on Ctrl-C, SIGTERM or SIGHUP. */
  interrupted: AbortSignal
  /** The environment of programs that a command starts. */
  environment: Readonly<Record<string, string | undefined>>
  /** Waits; resolves early when `signal` aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>
  /** The settings of the service on this machine. Throws CannotStart when they are invalid. */
  readConfig(): Config
  /** The locations of data, with these settings instead of those in the environment. Throws CannotStart when they are invalid. */
  readLocations(settings: Readonly<Record<string, string>>): Locations
}

export type Service = {
  /** Without base path and trailing slash. */
  url: string
  isLocal: boolean
  /** The credential's kind and source; `public` is the public key, used when there is no other credential. */
  credential: { kind: "given" | "login" | "public" | "none"; from: string }
  client: Client<ApiContract>
  /** A client for operations besides those of the API. */
  clientOf<Contract extends Readonly<Record<string, Endpoint>>>(contract: Contract): Client<Contract>
  /** Streams events until the signal is aborted. */
  follow(following: Omit<Following, "url" | "headers">): AsyncGenerator<Told, void>
}

/** The command line is invalid; the message explains why. */
export class UsageError extends Error {}

/** A command stopped retrying; running it again later continues. */
export class RetriesExhausted extends Error {}

/** The command was ended by a signal. */
export class Interrupted extends Error {
  /** 128 plus the signal's number, as shells define it: 130 for Ctrl-C. */
  readonly exitCode: number

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP") {
    super(`ended by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Rejects with the reason once the signal is aborted. */
export async function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort")
  throw signal.reason
}

/** The value of a flag; undefined when it was not given. */
export const one = (input: CommandInput, flag: string): string | undefined =>
  input.flags[flag]?.[0] as string | undefined

/** Whether a switch was given. */
export const isOn = (input: CommandInput, flag: string): boolean => input.flags[flag]?.[0] === true

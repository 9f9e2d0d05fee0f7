import { CannotStart } from "../kernel/cannot-start.ts"
import type { Profile } from "../kernel/profile.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** Converts the text of a setting to a value. */
export type Kind<T> = {
  /** The accepted texts: completes "it must be …", and is the column of values in the documentation. */
  form: string
  /** The value of a text, or a Refusal when the text is invalid. */
  parse(text: string): T | Refusal
}

/** Marks a text as invalid. */
export class Refusal {
  readonly because: Because

  constructor(because: Because = {}) {
    this.because = because
  }
}

type Because = {
  /** The invalid part of the text. */
  part?: string
  /** The reason, where the form does not suffice. */
  reason?: string
  /** The text may contain a password or a key and must not appear in the message. */
  isSecret?: boolean
}

/** One setting. Parser, messages, help, documentation and the type of `Config` derive from it. */
export type Setting = {
  /** The environment variable. */
  variable: string
  kind: Kind<unknown>
  /** The text that applies when the variable is unset or empty, per profile where they differ. */
  default?: string | Readonly<Record<Profile, string>> | undefined
  /** Describes the default where it is not a fixed text. */
  otherwise?: string
  meaning: string
}

/** The settings of one topic, by their names in code. */
export type Topic = Readonly<Record<string, Setting>>

/** The values of a topic; undefined only for settings without a default and for kinds with such a value. */
export type Values<T extends Topic> = { readonly [K in keyof T]: ValueOf<T[K]> }

type ValueOf<S extends Setting> = S extends { default: unknown } ? KindOf<S> : KindOf<S> | undefined
type KindOf<S extends Setting> = Exclude<ReturnType<S["kind"]["parse"]>, Refusal>

/** Throws CannotStart for the first invalid value. */
export function readTopic<T extends Topic>(topic: T, env: Environment, profile: Profile): Values<T> {
  const values = Object.entries(topic).map(([name, setting]) => [name, readSetting(setting, env, profile)])
  return Object.freeze(Object.fromEntries(values))
}

function readSetting({ variable, kind, default: usual }: Setting, env: Environment, profile: Profile): unknown {
  const own = isFromKubernetes(variable, env) ? undefined : env[variable]
  const text = own || (typeof usual === "object" ? usual[profile] : usual)
  if (text === undefined) return undefined
  const value = kind.parse(text)
  if (value instanceof Refusal) throw new CannotStart(describeRefusal(variable, text, kind.form, value.because))
  return value
}

function describeRefusal(variable: string, text: string, form: string, because: Because): string {
  const { part, reason, isSecret = false } = because
  if (isSecret) return `${variable} ${reason ?? `must be ${form}`}`
  const finding = part === undefined ? `is ${JSON.stringify(text)}` : `holds ${JSON.stringify(part)}`
  return `${variable} ${finding}; ${reason ?? `it must be ${form}`}`
}

/** The default of a setting, as the documentation shows it. */
export function describeDefault({ default: usual, otherwise }: Setting): string {
  if (otherwise !== undefined) return otherwise
  if (typeof usual !== "object") return usual || "none"
  return `${usual.production || "none"} (sandbox: ${usual.sandbox || "none"})`
}

/** Whether Kubernetes set the variable, as it does in every container for a service named petstore or petstore-…. */
export const isFromKubernetes = (name: string, env: Environment): boolean =>
  /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(env[name] ?? ""))

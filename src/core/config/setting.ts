import { CannotStart } from "../kernel/cannot-start.ts"

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
  /** The text that applies when the variable is unset or empty. */
  default?: string | undefined
  /** The default in production, where it differs. */
  inProduction?: string
  /** Describes the default where it is not a fixed text. */
  otherwise?: string
  meaning: string
  /** Why it is refused in production, as the end of a sentence. */
  notInProduction?: string
}

/** The settings of one topic, by their names in code. */
export type Topic = Readonly<Record<string, Setting>>

/** The values of a topic; undefined only for settings without a default and for kinds with such a value. */
export type Values<T extends Topic> = { readonly [K in keyof T]: ValueOf<T[K]> }

type ValueOf<S extends Setting> = S extends { default: unknown } ? KindOf<S> : KindOf<S> | undefined
type KindOf<S extends Setting> = Exclude<ReturnType<S["kind"]["parse"]>, Refusal>

/** Throws CannotStart for the first invalid value. */
export function readTopic<T extends Topic>(topic: T, env: Environment, isProduction = false): Values<T> {
  const values = Object.entries(topic).map(([name, setting]) => [name, readSetting(setting, env, isProduction)])
  return Object.freeze(Object.fromEntries(values))
}

function readSetting(setting: Setting, env: Environment, isProduction: boolean): unknown {
  const { variable, kind, default: usual, inProduction = usual } = setting
  const own = isFromKubernetes(variable, env) ? undefined : env[variable]
  const text = own || (isProduction ? inProduction : usual)
  if (text === undefined) return undefined
  const value = kind.parse(text)
  if (value instanceof Refusal) throw new CannotStart(describeRefusal(variable, text, kind.form, value.because))
  return value
}

function describeRefusal(variable: string, text: string, form: string, because: Because): string {
  const { part, reason, isSecret = false } = because
  if (isSecret) return `${variable} ${reason ?? `must be ${form}`}`
  const finding = part === undefined ? `is ${show(text)}` : `holds ${show(part)}`
  return `${variable} ${finding}; ${reason ?? `it must be ${form}`}`
}

/** Without what may be a user name and a password. */
const show = (text: string): string => JSON.stringify(text.replace(/^.*@/s, "…@"))

/** The default of a setting, as the documentation shows it. */
export function describeDefault({ default: usual, inProduction, otherwise }: Setting): string {
  if (otherwise !== undefined) return otherwise
  return inProduction === undefined ? usual || "none" : `${inProduction || "none"} (sandbox: ${usual || "none"})`
}

/** Throws CannotStart for the first setting that has a value and is refused in production. */
export function refuseInProduction(settings: readonly Setting[], env: Environment): void {
  for (const { variable, notInProduction } of settings)
    if (notInProduction !== undefined && env[variable])
      throw new CannotStart(`${variable} is for the sandbox; ${notInProduction}`)
}

/** Whether Kubernetes set the variable, as it does in every container for a service named petstore or petstore-…. */
export const isFromKubernetes = (name: string, env: Environment): boolean =>
  /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(env[name] ?? ""))

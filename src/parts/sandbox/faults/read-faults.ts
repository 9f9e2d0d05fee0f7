import { oauthPath } from "../../../core/kernel/network/path.ts"
import { problem, type Violation } from "../../../core/kernel/problem.ts"
import { type Preference, readPreferences } from "../../../core/server/reading/preferences.ts"
import type { Delay, RequestFaults, RetryAfter, WebhookFault } from "../model.ts"
import { delaySecondsMax } from "../rules.ts"
import {
  type Breakage,
  earlyBreakages,
  type HoldFault,
  holdFaults,
  lateBreakages,
  seedForm,
  type WebhookFaultKind,
  webhookFaultKinds,
} from "./contract.ts"
import type { Failures, PossibleRefusal } from "./targets.ts"

const spreadMax = 3
/** A day, in seconds. */
const retryAfterMax = 86_400
/** The delay of `webhook=delayed` without `wait`. */
const delayedSeconds = 5

/** The faults that a request demands, and the share of the requests with this seed that fail. */
type FaultRequest = { named: RequestFaults; share: number | undefined; seed: string | undefined }

type Reader<T> = (preference: Preference) => T | Refusal
type Refusal = { refusal: string }

/**
 * Reads the faults in `Prefer`; undefined when there are none. Throws the 400 for one that is impossible; `failures` are
 * those of what is requested.
 */
export function readFaults(prefer: string | string[] | undefined, failures: Failures): FaultRequest | undefined {
  const preferences = preferenceReader(prefer)
  const named = readNamed(preferences, failures)
  const share = preferences.read("faults", readShare)
  const seed = preferences.read("faults", readSeed)
  const violations = preferences.refusals.map(
    (detail): Violation => ({ parameter: "Prefer", code: "not-allowed", detail }),
  )
  if (violations.length > 0) throw problem("invalid-parameter", violations)
  return Object.keys(named).length === 0 && share === undefined ? undefined : { named, share, seed }
}

/** Reads the fault of a rule, in the same words: for requests, or for messages to webhooks; or says what is wrong with it. */
export function readRuleFault(
  text: string,
  failures: Failures,
): { requests: RequestFaults } | { webhooks: WebhookFault } | { refusals: readonly string[] } {
  const preferences = preferenceReader(text)
  const { refusals, read } = preferences
  const kind = read("webhook", readWebhookFault)
  const named = readNamed(preferences, failures)
  const { code, breakage, hold, flaw, delay } = named
  if (read("faults", () => true)) refusals.push("must not have faults=SHARE; the match has the share")
  if (kind && (code || breakage || hold || flaw)) refusals.push("must have either webhook= or code=, fault= and token=")
  if (refusals.length > 0) return { refusals }
  if (!kind && Object.keys(named).length === 0)
    return { refusals: ["must have wait=, code=, fault=, token= or webhook="] }
  if (!kind) return { requests: named }
  const usual = kind === "delayed" ? { seconds: delayedSeconds, jitterSeconds: 0 } : undefined
  return { webhooks: { kind, delay: delay ?? usual } }
}

type PreferenceReader = {
  /** The value of a preference; undefined when it is absent or refused. */
  read<T>(name: string, reader: Reader<T>): T | undefined
  refusals: string[]
}

function preferenceReader(text: string | string[] | undefined): PreferenceReader {
  const preferences = readPreferences(text)
  const refusals: string[] = []

  function read<T>(name: string, reader: Reader<T>): T | undefined {
    const preference = preferences.get(name)
    const outcome = preference && reader(preference)
    if (!isRefusal(outcome)) return outcome
    refusals.push(outcome.refusal)
  }

  return { read, refusals }
}

function readNamed({ read, refusals }: PreferenceReader, failures: Failures): RequestFaults {
  const delay = read("wait", readDelay)
  const refused = read("code", codeReader(failures.refusals))
  const { breakage, hold } = read("fault", readFault) ?? {}
  const flaw = read("token", flawReader(failures.flaws))
  if (refused && breakage && withoutOriginal.has(breakage))
    refusals.push(`must have either code= or fault=${breakage}, which does not send that problem`)
  if (flaw && (refused || (breakage && withoutOriginal.has(breakage))))
    refusals.push(`must have either token= or ${refused ? "code=" : `fault=${breakage}`}, which sends no token`)
  return {
    ...(delay && { delay }),
    ...refused,
    ...(breakage && { breakage }),
    ...(hold && { hold }),
    ...(flaw && { flaw }),
  }
}

const refuse = (refusal: string): Refusal => ({ refusal })
const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === "object" && outcome !== null && "refusal" in outcome

const readDelay: Reader<Delay> = ({ value, parameters }) => {
  const [seconds, spread] = [secondsIn(value), parameters.get("spread")]
  if (seconds === undefined) return refuse(`must have wait=SECONDS as a number from 0 to ${delaySecondsMax}`)
  if (spread !== undefined) return readSpread(seconds, spread, parameters.has("jitter"))
  const jitterSeconds = secondsIn(parameters.get("jitter") ?? "0")
  if (jitterSeconds === undefined || jitterSeconds > seconds)
    return refuse("must have jitter=SECONDS as a number from 0 to that of wait")
  return { seconds, jitterSeconds }
}

function readSpread(seconds: number, text: string, hasJitter: boolean): Delay | Refusal {
  if (hasJitter) return refuse("must have either jitter or spread")
  const spread = secondsIn(text)
  if (spread === undefined || spread > spreadMax) return refuse(`must have spread=NUMBER from 0 to ${spreadMax}`)
  return { seconds, spread }
}

const secondsIn = (text: string): number | undefined =>
  /^\d{1,2}(\.\d{1,3})?$/.test(text) && Number(text) <= delaySecondsMax ? Number(text) : undefined

/** Undefined for a success, which asks for no fault. */
const codeReader =
  (refusals: readonly PossibleRefusal[]): Reader<Pick<RequestFaults, "code" | "retryAfter"> | undefined> =>
  ({ value, parameters }) => {
    if (isSuccess.test(value)) return undefined
    const found = refusals.find(({ code, status }) => code === value || String(status) === value)
    if (!found)
      return refuse(
        `has code=${value}, which is not a problem of this operation; its problems are ${namesOf(refusals)}`,
      )
    const { code } = found
    const retryAfter = readRetryAfter(parameters)
    if (!retryAfter) return { code }
    if (isRefusal(retryAfter)) return retryAfter
    return found.hasRetryAfter ? { code, retryAfter } : refuse(`has a retry-after, which ${code} does not have`)
  }

function readRetryAfter(parameters: ReadonlyMap<string, string>): RetryAfter | Refusal | undefined {
  const [asSeconds, asDate] = [parameters.get("retry-after"), parameters.get("retry-after-date")]
  const text = asSeconds ?? asDate
  if (text === undefined) return undefined
  if (asSeconds !== undefined && asDate !== undefined) return refuse("must have either retry-after or retry-after-date")
  if (!/^\d{1,5}$/.test(text) || Number(text) > retryAfterMax)
    return refuse(`must have retry-after or retry-after-date as whole seconds from 0 to ${retryAfterMax}`)
  return { seconds: Number(text), isDate: asDate !== undefined }
}

const isSuccess = /^2(\d\d|xx)$/i

/** `400 (malformed-request, invalid-parameter), 404 (pet-not-found)` */
const namesOf = (refusals: readonly PossibleRefusal[]): string =>
  [...Map.groupBy(refusals, ({ status }) => status)]
    .map(([status, some]) => `${status} (${some.map(({ code }) => code).join(", ")})`)
    .join(", ")

const breakages = [...earlyBreakages, ...lateBreakages]

/** Those that send nothing of the response of the operation. */
const withoutOriginal: ReadonlySet<Breakage> = new Set<Breakage>([...earlyBreakages, "garbage"])

const readFault: Reader<{ breakage?: Breakage; hold?: HoldFault }> = ({ value }) => {
  const breakage = breakages.find((one) => one === value)
  const hold = holdFaults.find((one) => one === value)
  if (breakage) return { breakage }
  return hold
    ? { hold }
    : refuse(`has an unknown fault=${value}; known are ${[...breakages, ...holdFaults].join(", ")}`)
}

const flawReader =
  (flaws: readonly string[]): Reader<string> =>
  ({ value }) => {
    if (flaws.length === 0) return refuse(`has token=${value}, which only what issues tokens has: ${oauthPath}/token`)
    return (
      flaws.find((flaw) => flaw === value) ?? refuse(`has an unknown token=${value}; known are ${flaws.join(", ")}`)
    )
  }

const readWebhookFault: Reader<WebhookFaultKind> = ({ value }) =>
  webhookFaultKinds.find((kind) => kind === value) ??
  refuse(`has an unknown webhook=${value}; known are ${webhookFaultKinds.join(", ")}`)

const readShare: Reader<number> = ({ value }) =>
  /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value)
    ? Number(value)
    : refuse("must have faults=SHARE as a number from 0 to 1")

const readSeed: Reader<string | undefined> = ({ parameters }) => {
  const seed = parameters.get("seed")
  return seed === undefined || new RegExp(seedForm.pattern).test(seed)
    ? seed
    : refuse(`must have seed=SEED as ${seedForm.requirement}`)
}

import { type ProblemCode, problems } from "../../domain/problems/problems.ts"
import { problem, type Violation } from "../../kernel/problem.ts"
import { type Preference, readPreferences } from "../reading/preferences.ts"
import type { Breakage } from "./break-response.ts"

const secondsMax = 30
const breakages: readonly Breakage[] = ["drop", "lose", "truncate", "slow"]

/** The faults of one response. */
export type Faults = { waitSeconds?: number; code?: ProblemCode; breakage?: Breakage }

/** The faults that a request demands, and the share of the requests with this seed that fail. */
export type FaultRequest = { named: Faults; share: number | undefined; seed: string | undefined }

type Reader<T> = (preference: Preference) => T | Violation

/**
 * Reads the faults in `Prefer`; undefined when there are none. Throws the 400 for one that is impossible; `codes` are the
 * problems of the operation.
 */
export function readFaults(
  prefer: string | string[] | undefined,
  codes: readonly ProblemCode[],
): FaultRequest | undefined {
  const preferences = readPreferences(prefer)
  const violations: Violation[] = []
  const read = <T>(name: string, reader: Reader<T>): T | undefined => {
    const preference = preferences.get(name)
    const outcome = preference && reader(preference)
    if (!isViolation(outcome)) return outcome
    violations.push(outcome)
  }
  const [waitSeconds, code, breakage, share, seed] = [
    read("wait", readSeconds),
    read("code", codeReader(codes)),
    read("fault", readBreakage),
    read("faults", readShare),
    read("faults", readSeed),
  ]
  if (violations.length > 0) throw problem("invalid-parameter", violations)
  if ([waitSeconds, code, breakage, share].every((each) => each === undefined)) return undefined
  const named = {
    ...(waitSeconds !== undefined && { waitSeconds }),
    ...(code && { code }),
    ...(breakage && { breakage }),
  }
  return { named, share, seed }
}

const refuse = (detail: string): Violation => ({ parameter: "Prefer", code: "not-allowed", detail })

const isViolation = (outcome: unknown): outcome is Violation => typeof outcome === "object"

const readSeconds: Reader<number> = ({ value }) =>
  /^\d{1,2}$/.test(value) && Number(value) <= secondsMax
    ? Number(value)
    : refuse(`must have wait=SECONDS as a whole number from 0 to ${secondsMax}`)

const codeReader =
  (codes: readonly ProblemCode[]): Reader<ProblemCode> =>
  ({ value }) =>
    codes.find((code) => code === value || String(problems[code].status) === value) ??
    refuse(`has code=${value}, which is not a problem of this operation; its problems are ${namesOf(codes)}`)

/** `400 (malformed-request, invalid-parameter), 404 (pet-not-found)` */
const namesOf = (codes: readonly ProblemCode[]): string =>
  [...Map.groupBy(codes, (code) => problems[code].status)]
    .map(([status, some]) => `${status} (${some.join(", ")})`)
    .join(", ")

const readBreakage: Reader<Breakage> = ({ value }) =>
  breakages.find((breakage) => breakage === value) ??
  refuse(`has an unknown fault=${value}; known are ${breakages.join(", ")}`)

const readShare: Reader<number> = ({ value }) =>
  /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value)
    ? Number(value)
    : refuse("must have faults=SHARE as a number from 0 to 1")

const readSeed: Reader<string | undefined> = ({ parameters }) => {
  const seed = parameters.get("seed")
  return seed === undefined || /^[\w.-]{1,64}$/.test(seed)
    ? seed
    : refuse("must have seed=SEED as 1 to 64 letters, digits and . _ -")
}

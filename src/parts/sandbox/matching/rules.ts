import { isAtRulePath, ownPath } from "../faults/rules.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import type { RequestMatcher } from "./contract.ts"

type Checks = { [Name in keyof RequestMatcher]-?: (one: Facts, wanted: NonNullable<RequestMatcher[Name]>) => boolean }
type Facts = { [Name in keyof RecordedRequest]?: RecordedRequest[Name] | undefined }

/** What a recorded request has besides what was sent, which is not read for these. */
const facts: readonly (keyof RequestMatcher)[] = ["operation", "method", "key", "status"]

const checks: Checks = {
  operation: ({ operation }, wanted) => operation === wanted,
  method: ({ method }, wanted) => method === wanted.toUpperCase(),
  path: ({ path = "" }, wanted) => isAtRulePath(wanted, ownPath(path.replace(/\?.*/s, ""))),
  key: ({ caller }, wanted) => caller === `key ${wanted}`,
  status: ({ status }, wanted) => String(status ?? "").startsWith(String(wanted).replace("xx", "")),
  requestId: ({ response }, wanted) => response?.headers["x-request-id"] === wanted,
  header: ({ request }, wanted) => hasHeader(request?.headers ?? {}, wanted),
  text: ({ request }, wanted) => request?.body?.includes(wanted) ?? false,
}

function hasHeader(headers: Readonly<Record<string, string>>, wanted: string): boolean {
  const [name = "", ...value] = wanted.split(":")
  const found = headers[name.trim().toLowerCase()]
  return found !== undefined && (value.length === 0 || found === value.join(":").trim())
}

/** The members of a matcher that a recorded request does not have; of some members only. */
export function differencesOf(
  one: Facts,
  wanted: RequestMatcher,
  among: readonly (keyof RequestMatcher)[] = Object.keys(checks) as (keyof RequestMatcher)[],
): (keyof RequestMatcher)[] {
  return among.filter((name) => !isAsWanted(one, name, wanted[name]))
}

const isAsWanted = (one: Facts, name: keyof RequestMatcher, wanted: RequestMatcher[keyof RequestMatcher]): boolean =>
  wanted === undefined || (checks[name] as (one: Facts, wanted: unknown) => boolean)(one, wanted)

/** Whether a request is sought, for the list and for those who follow the stream. */
export const isSought = (one: RecordedRequest, sought: RequestMatcher): boolean =>
  differencesOf(one, sought).length === 0

/** The members that it does not have by what is known without what was sent. */
export const factDifferencesOf = (one: Facts, sought: RequestMatcher): (keyof RequestMatcher)[] =>
  differencesOf(one, sought, facts)

/** Whether it can be sought, by that alone. */
export const maybeSought = (one: Facts, sought: RequestMatcher): boolean =>
  facts.every((name) => isAsWanted(one, name, sought[name]))

/** Whether that decides about all that is sought. */
export const isSoughtByFacts = (sought: RequestMatcher): boolean =>
  Object.entries(sought).every(([name, value]) => value === undefined || facts.includes(name as keyof RequestMatcher))

import type { IncomingHttpHeaders } from "node:http"

/** One preference of `Prefer` (RFC 7240 section 2): its value, and its parameters by lower-case name, unquoted. */
export type Preference = { value: string; parameters: ReadonlyMap<string, string> }

/** The value of a preference of a request, in lower case. */
export const preferenceOf = ({ prefer }: IncomingHttpHeaders, name: string): string | undefined =>
  prefer === undefined ? undefined : readPreferences(prefer).get(name)?.value.toLowerCase()

/** The preferences of a request by lower-case name; the first of a name counts. */
export function readPreferences(prefer: string | readonly string[] | undefined): ReadonlyMap<string, Preference> {
  const preferences = new Map<string, Preference>()
  for (const text of [prefer ?? []].flat().join().match(betweenCommas) ?? []) {
    const [[name, value], ...parameters] = (text.match(betweenSemicolons) ?? [""]).map(nameAndValue) as [
      [string, string],
      ...[string, string][],
    ]
    if (name !== "" && !preferences.has(name)) preferences.set(name, { value, parameters: new Map(parameters) })
  }
  return preferences
}

/** The text between unquoted commas or semicolons. */
const betweenCommas = /(?:[^,"]|"[^"]*")+/g
const betweenSemicolons = /(?:[^;"]|"[^"]*")+/g

function nameAndValue(text: string): [string, string] {
  const [name = "", ...value] = text.split("=")
  return [
    name.trim().toLowerCase(),
    value
      .join("=")
      .trim()
      .replace(/^"([^"]*)"$/, "$1"),
  ]
}

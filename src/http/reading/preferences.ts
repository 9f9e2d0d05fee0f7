/** One preference of `Prefer` (RFC 7240 section 2): its value and its parameters, by lower-case name, without quotes. */
export type Preference = { value: string; parameters: ReadonlyMap<string, string> }

/** The preferences of a request by their lower-case names; of several with one name only the first counts. */
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

/** What stands between commas, or semicolons, that are not quoted. */
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

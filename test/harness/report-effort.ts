import type { TestContext } from "node:test"

/** How hard a test tried, and what it measured, by name: counts, or texts that begin with a digit, such as "96 ms". A name has none. */
export type Effort = Record<string, number | string>

const head = "tried: "

/** Prints it, in the form of which `npm run verify` makes a row of `docs/reliability.md`. */
export function reportEffort(t: Pick<TestContext, "diagnostic">, effort: Effort): void {
  const pairs = Object.entries(effort).map(([name, value]) => `${name} ${value}`)
  t.diagnostic(head + pairs.join("; "))
}

/** The effort in a line of a test; undefined in any other line. */
export function parseEffort(line: string): Record<string, string> | undefined {
  if (!line.startsWith(head)) return undefined
  const pairs = line.slice(head.length).split("; ")
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = pair, value = ""] = /^(\D+?) (-?\d.*)$/.exec(pair) ?? []
      return [name, value]
    }),
  )
}

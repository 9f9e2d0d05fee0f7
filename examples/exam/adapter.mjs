import { createInterface } from "node:readline"

/** Carries out the action of each line of the input, and writes what it says. */
export async function runAdapter(actions) {
  for await (const text of createInterface({ input: process.stdin })) {
    const line = JSON.parse(text)
    const said = actions[line.do]
      ? await actions[line.do](line, line.input).then(
          (result) => ({ result: result ?? null }),
          (error) => ({ error: `${error.name}: ${error.message}` }),
        )
      : { unclaimed: `the adapter has no ${line.do}` }
    process.stdout.write(`${JSON.stringify(said)}\n`)
  }
  process.exit()
}

/** The address of the next page after this one, of its header `Link`. */
export function nextOf(link, page) {
  const next = /<([^>]*)>; *rel="?next"?/.exec(link ?? "")?.[1]
  if (next && new URL(next, page).href === page) throw new Error("a page leads to itself")
  return next && new URL(next, page).href
}

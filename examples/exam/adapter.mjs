import { createInterface } from "node:readline"

/** `node FILE documented`: the client has the options that its documentation recommends, not only those that it comes with. */
export const isAsDocumented = process.argv[2] === "documented"

/** Carries out the action of each line of the input, and writes what it says; `client` has its options, and what it lacks. */
export async function runAdapter(actions, client = {}) {
  const known = { describe: async () => client, ...actions }
  for await (const text of createInterface({ input: process.stdin })) {
    const line = JSON.parse(text)
    const said = known[line.do]
      ? await known[line.do](line, line.input).then(
          (result) => ({ result: result ?? null }),
          (error) => ({ [isOwn(error) ? "failed" : "error"]: `${error.name}: ${error.message}` }),
        )
      : { unclaimed: `the adapter has no ${line.do}` }
    process.stdout.write(`${JSON.stringify(said)}\n`)
  }
  process.exit()
}

/** A mistake in the code of the adapter, not an error that its client reports. */
const isOwn = ({ name, stack = "" }) =>
  /^(Type|Reference)Error$/.test(name) && /\n +at .*/.exec(stack)?.[0].includes(process.argv[1])

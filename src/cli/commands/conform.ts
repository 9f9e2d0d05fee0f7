import { counted } from "../../core/kernel/counted.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { type OwnCommand, one, rejectWhenAborted, UsageError } from "../command/command.ts"
import { reportVerdicts, selectTasks, showProgress, verdictFlags } from "../output/verdicts.ts"

/** Where a service can make a store for one examination: what that means for a reader, and how to make it. */
type OwnStore = {
  words: string
  /**
   * Makes one at the service with this root, which knows these keys; undefined where there is none. `remove` resolves with a sentence
   * about what became of it.
   */
  open(
    root: string,
    keys: readonly [string, ...string[]],
  ): Promise<{ url: string; remove(): Promise<string> } | undefined>
}

export const createConform = (ownStore: OwnStore): OwnCommand => ({
  name: "conform",
  summary: "Examine whether a pet store keeps its promises",
  description:
    "Sends the requests of docs/conform.md to any service with the interface of the pet store, and judges the responses. " +
    `${ownStore.words} In any other service pets, orders and users are left. The exit code is 1 when a promise is missed.`,
  endsItself: true,
  arguments: [{ name: "url", meaning: `The address of the API, such as http://127.0.0.1:8080${basePath}` }],
  flags: [
    { name: "key", value: "KEY", meaning: "The API key for the requests; special-key by default" },
    { name: "limited-key", value: "KEY", meaning: "A key with 60 requests a minute; free-key by default" },
    ...verdictFlags,
  ],
  async run(input, world) {
    const { interrupted: signal, terminal } = world
    const { url: address = "" } = input.arguments
    if (!URL.canParse(address)) throw new UsageError(`${JSON.stringify(address)} is not the address of an API`)
    const url = new URL(address).pathname === "/" ? new URL(basePath, address).href : address.replace(/\/+$/, "")
    // Loaded here because no other command needs them.
    const { runConform } = await import("../../examiner/conform/run-conform.ts")
    const { conformChapters } = await import("../../examiner/conform/chapters.ts")
    const { readPetCount } = await import("../../examiner/conform/read-pet-count.ts")
    const { chapters, total } = selectTasks(conformChapters, input, "docs/conform.md")
    const keys = { key: one(input, "key") ?? "special-key", limitedKey: one(input, "limited-key") ?? "free-key" }
    const unlessAborted = <T>(work: Promise<T>) => Promise.race([work, rejectWhenAborted(signal)])
    const root = url.replace(new RegExp(`${basePath}$`), "")
    const own = await unlessAborted(ownStore.open(root, [keys.key, keys.limitedKey]))
    const before = own ? undefined : await unlessAborted(readPetCount({ url, ...keys }))
    const examined = { url: own ? own.url + basePath : url, ...keys, chapters, signal }
    try {
      const verdicts = await unlessAborted(runConform(examined, showProgress(total, terminal)))
      return await reportVerdicts(verdicts, input, world)
    } finally {
      const after = own || signal.aborted ? undefined : await readPetCount({ url, ...keys })
      terminal.err(`${own ? await own.remove() : leftIn(url, before, after)}\n`)
    }
  },
})

function leftIn(url: string, before: number | undefined, after: number | undefined): string {
  const others = "orders, users and webhooks may be left too"
  if (before === undefined || after === undefined) return `Examined at ${url} itself: pets, ${others}.`
  return `Examined at ${url} itself, which has ${counted(Math.max(0, after - before), "pet")} more than before; ${others}.`
}

import { basePath } from "../../core/kernel/network/path.ts"
import { type OwnCommand, one, UsageError } from "../command/command.ts"
import { namesIn, reportVerdicts, selectTasks, showProgress, verdictFlags } from "../output/verdicts.ts"

const page = "docs/conform.md"

/** Where a service can make a store for one examination: what that means for a reader, and how to make it. */
type OwnStore = {
  words: string
  /**
   * Makes one at the service with this root, which knows these keys; undefined where there is none. Rejects with the reason of the
   * signal when that is aborted, and leaves none then. `remove` resolves with a sentence about what became of it.
   */
  open(
    root: string,
    keys: readonly [string, ...string[]],
    signal: AbortSignal,
  ): Promise<{ url: string; remove(): Promise<string> } | undefined>
}

export const createConform = (ownStore: OwnStore): OwnCommand => ({
  name: "conform",
  summary: "Examine whether a pet store keeps its promises",
  description:
    "Sends the requests of docs/conform.md to any service with the interface of the pet store, and judges the responses. " +
    `${ownStore.words} In any other service each check removes what it adds. The exit code is 1 when a promise is missed.`,
  endsItself: true,
  arguments: [{ name: "url", meaning: `The address of the API, such as http://127.0.0.1:8080${basePath}` }],
  flags: [
    { name: "key", value: "KEY", meaning: "The API key for the requests; special-key by default" },
    { name: "limited-key", value: "KEY", meaning: "A key with 60 requests a minute; free-key by default" },
    { name: "reader-key", value: "KEY", meaning: "A key that may only read pets; a new one by default" },
    { name: "claims", value: "NAMES", meaning: "Tasks or chapters of which nothing may be not claimed, or all" },
    ...verdictFlags,
  ],
  async run(input, world) {
    const { interrupted: signal, terminal } = world
    const { url: address = "" } = input.arguments
    if (!URL.canParse(address)) throw new UsageError(`${JSON.stringify(address)} is not the address of an API`)
    // A final slash says that the API is at the root.
    const isOrigin = new URL(address).pathname === "/" && !address.endsWith("/")
    const url = isOrigin ? new URL(basePath, address).href : address.replace(/\/+$/, "")
    // Loaded here because no other command needs them.
    const { runConform } = await import("../../examiner/conform/run-conform.ts")
    const { conformChapters } = await import("../../examiner/conform/chapters.ts")
    const { chapters, total } = selectTasks(conformChapters, input, page)
    const claimed = one(input, "claims")
    const everything = conformChapters.map(({ name }) => name).join()
    const claims = namesIn(conformChapters, claimed === "all" ? everything : claimed, page)
    const [key, limitedKey] = [one(input, "key") ?? "special-key", one(input, "limited-key") ?? "free-key"]
    const readerKey = one(input, "reader-key")
    const root = url.replace(new RegExp(`${basePath}$`), "")
    const known = [key, limitedKey, ...(readerKey === undefined ? [] : [readerKey])] as const
    const own = await ownStore.open(root, known, signal)
    const service = { url: own ? own.url + basePath : url, key, limitedKey, readerKey }
    try {
      const verdicts = await runConform({ ...service, chapters, claims, signal }, showProgress(total, terminal))
      return await reportVerdicts(verdicts, input, world)
    } finally {
      const itself = `Examined at ${url} itself; what the checks added was removed where it can be.`
      terminal.err(`${own ? await own.remove() : itself}\n`)
    }
  },
})

import { basePath } from "../../core/kernel/network/path.ts"
import { type OwnCommand, one, UsageError } from "../command/command.ts"
import { reportVerdicts, selectTasks, showProgress, verdictFlags } from "../output/verdicts.ts"

export const conform: OwnCommand = {
  name: "conform",
  summary: "Examine whether a pet store keeps its promises",
  description:
    "Sends the requests of docs/conform.md to any service with the interface of the pet store, and judges the responses. It adds pets, orders " +
    "and users, and deletes few of them. The exit code is 1 when a promise is missed.",
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
    const { chapters, total } = selectTasks(conformChapters, input, "docs/conform.md")
    const keys = { key: one(input, "key") ?? "special-key", limitedKey: one(input, "limited-key") ?? "free-key" }
    const verdicts = await runConform({ url, ...keys, chapters, signal }, showProgress(total, terminal))
    return reportVerdicts(verdicts, input, world)
  },
}

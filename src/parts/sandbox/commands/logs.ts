import { isOn, type OwnCommand, UsageError, type World } from "../../../cli/command/command.ts"
import { collectFields, requestFields } from "../../../cli/endpoint/endpoint-flags.ts"
import { createTable } from "../../../cli/output/table.ts"
import type { Client } from "../../../client/client.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { visible } from "../../../core/kernel/visible.ts"
import { describeAttempts, describeChange } from "../attempts/attempt-words.ts"
import { sandbox } from "../contract.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { isSought } from "../matching/rules.ts"

type Query = NonNullable<NonNullable<Parameters<Client<typeof sandbox>["listRequests"]>[0]>["query"]>

const fields = requestFields(sandbox.listRequests)
  .filter(({ name }) => name !== "cursor" && name !== "group")
  .map((field) => (field.name === "requestId" ? { ...field, flag: { ...field.flag, name: "request" } } : field))
const bodies = { name: "bodies", meaning: "Print the bodies below each request" }
const attempts = {
  name: "attempts",
  meaning: "Print attempts at the same request as one, and what changed between them",
}
const clear = { name: "clear", meaning: "Empty the journal first, so that only later requests are shown" }
const har = { name: "har", meaning: "Print all of them as HAR 1.2, which developer tools of browsers open" }
const follow = { name: "follow", short: "f", meaning: "Print new requests as they are made, until Ctrl-C" }

export const logs: OwnCommand = {
  name: "logs",
  summary: "Show the recent requests to a sandbox, oldest first, and follow new ones",
  description:
    "A line has the time in the sandbox, method, path, status, duration, operation, credential, and the problem, or the fault that was " +
    "requested. --json prints everything that is recorded: headers, bodies and responses, without credentials.",
  endsItself: true,
  flags: [...fields.map(({ flag }) => flag), attempts, follow, bodies, har, clear],
  async run(input, world) {
    if ([attempts, follow, har].filter(({ name }) => isOn(input, name)).length > 1)
      throw new UsageError("--attempts, --follow and --har cannot be combined")
    const isGrouped = isOn(input, attempts.name)
    const query: Query = collectFields(fields, input, "query")
    const print = createPrinter(world, isOn(input, bodies.name))
    const client = world.service.clientOf(sandbox)
    if (isOn(input, clear.name)) await client.deleteRequests()
    if (isOn(input, har.name)) {
      world.terminal.out(`${(await client.exportRequests({ query })).text}\n`)
      return 0
    }
    const { value } = await client.listRequests({
      query: { ...query, ...(isGrouped && { group: "attempts" as const }) },
    })
    print(value.toReversed())
    if (!isOn(input, follow.name)) {
      if (value.length === 0 && !world.json) world.terminal.err("No requests.\n")
      return 0
    }
    for await (const one of followFrom(value[0]?.id, world)) if (isSought(one, query)) print([one])
    return 0
  },
}

/** Yields the requests after the one with this id, until the command is interrupted. */
async function* followFrom(id: number | undefined, { service, pause, interrupted: signal }: World) {
  const start = id === undefined ? {} : { after: String(id) }
  for await (const { body } of service.follow({ path: "/sandbox/requests/stream", ...start, pause, signal }))
    yield JSON.parse(body) as RecordedRequest
}

const columns = ["time", "method", "path", "status", "duration", "operation", "credential", "problem"]
const lessImportant = ["credential", "operation", "duration", "time"]

/** Prints requests as JSON, or as rows of a table whose head precedes the first one. */
function createPrinter({ json, terminal }: World, hasBodies: boolean): (requests: readonly RecordedRequest[]) => void {
  if (json) return (requests) => terminal.out(requests.map((one) => `${JSON.stringify(one)}\n`).join(""))
  const table = createTable(columns, terminal, {
    isCut: terminal.width !== undefined,
    paint: { status: paintOf },
    lessImportant,
  })
  let isFirst = true
  return (requests) => {
    if (requests.length === 0) return
    const lines = table(requests.map(toRow)).split("\n").slice(0, -1)
    if (isFirst) terminal.out(`${lines.shift()}\n`)
    isFirst = false
    for (const [n, one] of requests.entries()) {
      const { request, response } = one
      const shown = hasBodies ? [request.body, response.body].filter((body) => body !== undefined) : []
      terminal.out([lines[n], ...[...attemptLines(one), ...shown].map(indented)].map((each) => `${each}\n`).join(""))
    }
  }
}

const toRow = ({ time, path, status, durationMs, caller, problem, fault, ...rest }: RecordedRequest) => ({
  ...rest,
  time: time.slice(11, 23),
  path: path.replace(basePath, ""),
  status: status ?? "no response",
  duration: `${durationMs} ms`,
  credential: caller,
  problem: [problem, fault && `(${fault})`].filter(Boolean).join(" "),
})

/** What the attempts at a request were, if there were several, and what changed between them. */
function attemptLines(one: RecordedRequest): string[] {
  const words = describeAttempts(one)
  const changes = (one.attempts ?? []).flatMap(({ id, changes = [] }) =>
    changes.map((change) => `  request ${id}, ${describeChange(change)}`),
  )
  return words === undefined ? [] : [words, ...changes]
}

const paintOf = (status: string) => (/^[123]/.test(status) ? "green" : "red")

const indented = (body: string): string =>
  body
    .split("\n")
    .map((line) => `    ${visible(line)}`)
    .join("\n")

import { sandbox } from "../../domain/sandbox/contract.ts"
import type { RecordedRequest } from "../../domain/sandbox/requests/contract.ts"
import { isSought } from "../../domain/sandbox/requests/rules.ts"
import { visible } from "../../kernel/visible.ts"
import { isOn, type OwnCommand, type World } from "../command/command.ts"
import { type Field, requestFields } from "../endpoint/endpoint-flags.ts"

type Query = NonNullable<Parameters<World["service"]["client"]["listRequests"]>[0]>["query"] & object

const fields = requestFields(sandbox.listRequests).filter(({ name }) => name !== "cursor")
const bodies = { name: "bodies", meaning: "Print the bodies below each request" }
const clear = { name: "clear", meaning: "Empty the journal first, so that only later requests are shown" }
const follow = { name: "follow", short: "f", meaning: "Print new requests as they are made, until Ctrl-C" }

export const logs: OwnCommand = {
  name: "logs",
  summary: "Show the recent requests to a sandbox, oldest first, and follow new ones",
  description:
    "A line has the time in the sandbox, method, path, status, duration, operation, credential, and the fault if the service made one " +
    "on purpose. --json prints everything that is recorded: headers, bodies and responses, without credentials.",
  endsItself: true,
  flags: [...fields.map(({ flag }) => flag), follow, bodies, clear],
  async run(input, world) {
    const query: Query = Object.fromEntries(fields.flatMap((field) => readField(field, input.flags[field.flag.name])))
    const print = (one: RecordedRequest) => world.terminal.out(format(one, world, isOn(input, bodies.name)))
    if (isOn(input, clear.name)) await world.service.client.deleteRequests()
    const { value } = await world.service.client.listRequests({ query })
    for (const one of value.toReversed()) print(one)
    if (!isOn(input, follow.name)) return 0
    for await (const one of followFrom(value[0]?.id, world)) if (isSought(one, query)) print(one)
    return 0
  },
}

const readField = ({ name, read }: Field, values: readonly (string | boolean)[] | undefined) =>
  values ? [[name, read(values)]] : []

/** Yields the requests after the one with this id, until the command is interrupted. */
async function* followFrom(id: number | undefined, { service, pause, interrupted: signal }: World) {
  const start = id === undefined ? {} : { after: String(id) }
  for await (const { body } of service.follow({ path: "/sandbox/requests/stream", ...start, pause, signal }))
    yield JSON.parse(body) as RecordedRequest
}

function format(one: RecordedRequest, { json, terminal }: World, hasBodies: boolean): string {
  if (json) return `${JSON.stringify(one)}\n`
  const { time, method, path, status, durationMs, operation, caller, problem, fault, request, response } = one
  const paint = status === undefined || status >= 400 ? "red" : "green"
  const words = [operation, caller, problem, fault && `(${fault})`].filter((part) => part !== undefined)
  const line = [
    time.slice(11, 23),
    method,
    visible(path),
    terminal.paint.out(paint, status === undefined ? "no response" : String(status)),
    `${durationMs} ms`,
    ...words.map(visible),
  ].join("  ")
  const shown = hasBodies ? [request.body, response.body].filter((body) => body !== undefined) : []
  return [line, ...shown.map(indented)].map((each) => `${each}\n`).join("")
}

const indented = (body: string): string =>
  body
    .split("\n")
    .map((line) => `    ${visible(line)}`)
    .join("\n")

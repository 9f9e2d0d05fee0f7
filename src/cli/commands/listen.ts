import type { Start } from "../../client/receiving/follow.ts"
import { selectableKinds } from "../../core/domain/webhooks/contract.ts"
import { visible } from "../../core/kernel/visible.ts"
import { type CommandInput, type OwnCommand, one, UsageError, type World } from "../command/command.ts"
import { type Forward, forwardTo, secretFrom } from "../service/forward.ts"

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const listen: OwnCommand = {
  name: "listen",
  summary: "Print events as they happen, and forward them to a local receiver",
  description:
    "Prints a line for each event; --json prints all of it. Reads the service's event stream, so it works with any service whose events the credential may read, needs no public address " +
    "and creates no webhook. A lost connection is reopened and resumed without gaps. With --forward-to, each event is posted to " +
    "your receiver, in order and signed like a webhook (Standard Webhooks 1.0).",
  endsItself: true,
  flags: [
    {
      name: "events",
      value: "KIND",
      choices: selectableKinds,
      meaning: "Only events of this kind, such as pet.created",
      many: true,
    },
    { name: "count", value: "N", meaning: "Exit after N events" },
    { name: "forward-to", value: "URL", meaning: "Post each event to this URL, such as http://localhost:3000/hook" },
    {
      name: "secret",
      value: "SECRET",
      meaning: "The signing secret, whsec_…; by default a new one, which is printed",
    },
    {
      name: "replay",
      value: "SINCE",
      meaning:
        "Start with events since 10m, 2h or 3d ago, since a time such as 2026-01-31T12:00:00Z, or after an event id",
    },
  ],

  async run(input, world) {
    const count = parseCount(one(input, "count"))
    const start = parseStart(one(input, "replay"), world)
    const kinds = input.flags.events?.flatMap((text) => String(text).split(","))
    for (const kind of kinds ?? []) requireKind(kind)
    const forward = forwarding(input, world)
    let seen = 0
    for await (const event of followEvents(world, start)) {
      const message: Message = JSON.parse(event.body)
      if (kinds && !kinds.includes(message.event)) continue
      if (world.json) world.terminal.out(`{"id":"${event.id}",${event.body.slice(1)}\n`)
      const line = `${forward ? await forward(event) : message.timestamp.slice(11, 23)} ${describeEvent(event.id, message)}\n`
      if (!world.json) world.terminal.out(line)
      else if (forward) world.terminal.err(line)
      if (++seen === count) break
    }
    return 0
  },
}

function requireKind(kind: string): void {
  if ((selectableKinds as string[]).includes(kind)) return
  throw new UsageError(`unknown event ${JSON.stringify(kind)}; events are ${selectableKinds.join(", ")}`)
}

function forwarding(input: CommandInput, world: World): Forward | undefined {
  const address = one(input, "forward-to")
  const chosen = one(input, "secret")
  if (address === undefined) {
    if (chosen !== undefined) throw new UsageError("--secret requires --forward-to")
    return undefined
  }
  const secret = secretFrom(chosen)
  const forward = forwardTo(address, secret, world)
  world.terminal.err(`Forwarding to ${address}, signed with the secret ${chosen === undefined ? secret : "given"}\n`)
  return forward
}

/** Follows the events of the service until the command is interrupted, and reports changes of the connection. */
function followEvents({ service, terminal, pause, interrupted: signal }: World, start: Start) {
  const words = {
    connected: `Listening to ${service.url}. Press Ctrl-C to stop.`,
    "connected again": "Reconnected.",
    ended: "The connection ended; reconnecting.",
    lost: "The service is unreachable; retrying.",
  }
  return service.follow({ ...start, pause, signal, report: (what) => terminal.err(`${words[what]}\n`) })
}

/** The body of an event. */
type Message = {
  event: string
  timestamp: string
  data: { id?: number; webhookId?: number; name?: string; status?: string }
}

/** `[evt_…] pet.created 11 Rex available`. */
function describeEvent(id: string, { event, data }: Message): string {
  const about = [data.id ?? data.webhookId, data.name, data.status].filter((part) => part !== undefined)
  return [`[${id}]`, event, ...about.map((part) => visible(String(part)))].join(" ")
}

function parseStart(text: string | undefined, { clock }: World): Start {
  if (text === undefined) return {}
  if (/^evt_\w+$/.test(text)) return { after: text }
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const at = unit === undefined ? Date.parse(text) : clock.now() - Number(number) * unitMs[unit as keyof typeof unitMs]
  if (!Number.isNaN(at) && at >= 0) return { since: new Date(at).toISOString() }
  throw new UsageError(
    `--replay is ${JSON.stringify(text)}; it must be a period such as 10m, 2h or 3d, a date and time, or an event id`,
  )
}

function parseCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(`--count is ${JSON.stringify(text)}; it must be a positive integer`)
}

import { createHmac, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { selectableKinds, type WebhookDraft } from "../../domain/webhooks/contract.ts"
import { secretPrefix, signedContent } from "../../kernel/standard-webhooks.ts"
import { type Command, one, UsageError, type World } from "../command.ts"

const toleranceMs = 5 * 60 * 1000
const bodyBytesMax = 1024 * 1024

export const listen: Command = {
  name: "listen",
  summary: "Receive events on this machine and show them",
  description:
    "Registers a webhook that points to this machine, verifies the signature of each event, shows the event, and deletes " +
    "the webhook on exit (Ctrl-C). The service must allow webhooks to this machine, as the sandbox does.",
  arguments: [],
  flags: [
    { name: "port", value: "PORT", meaning: "Where to listen on 127.0.0.1 (default: a free port)" },
    {
      name: "events",
      value: "KIND",
      choices: selectableKinds,
      meaning: "Only events of this kind, such as pet.created",
      many: true,
    },
    { name: "count", value: "N", meaning: "Exit after that many events" },
  ],

  async run(given, world) {
    const port = parseNumber(one(given, "port") ?? "0", "port", 65_535)
    const count = parseNumber(one(given, "count") ?? "0", "count", Number.MAX_SAFE_INTEGER)
    const events = given.flags.events?.flatMap((text) => String(text).split(","))
    const server = createServer().listen(port, "127.0.0.1")
    await once(server, "listening")
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      return await receiveEvents(server, world, url, events, count)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
}

/** Shows events until `count` of them have arrived or a signal comes; the webhook exists exactly that long. */
async function receiveEvents(server: Server, world: World, url: string, events: string[] | undefined, count: number) {
  const { client } = world.service
  const draft = { url, description: "petstore listen", ...(events && { events }) } as WebhookDraft
  const { value: webhook } = await client.createWebhook({ body: draft })
  const { promise: end, resolve: stop } = Promise.withResolvers<void>()
  const signals = ["SIGINT", "SIGTERM"] as const
  const onSignal = () => stop()
  for (const signal of signals) process.on(signal, onSignal)
  let seen = 0
  server.on("request", async (request, response) => {
    const body = await readText(request).catch(() => undefined)
    const refusal =
      body === undefined ? "the body is larger than 1 MiB" : findFault(webhook.secret, request, body, world)
    if (refusal !== undefined) world.terminal.err(`Refused: ${refusal}\n`)
    else world.terminal.out(formatEvent(String(request.headers["webhook-id"]), body as string, world.json))
    response.writeHead(refusal === undefined ? 204 : 400).end()
    if (refusal === undefined && ++seen === count) response.on("close", stop)
  })
  world.terminal.err(`Listening on ${url} for ${events?.join(", ") ?? "every event"}. Press Ctrl-C to stop.\n`)
  try {
    await end
    return 0
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
    await client.deleteWebhook({ params: { webhookId: webhook.id } })
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > bodyBytesMax) throw new Error("too long")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** Why a message cannot be from the service, checked as Standard Webhooks 1.0 requires; undefined when it can. */
function findFault(secret: string, { headers }: IncomingMessage, body: string, { clock }: World): string | undefined {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers
  if (!id || !timestamp || !signatures) return "a signature header is missing"
  if (!(Math.abs(clock.now() - Number(timestamp) * 1000) <= toleranceMs))
    return "its timestamp is more than five minutes off"
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64")
  const expected = createHmac("sha256", key)
    .update(signedContent(String(id), String(timestamp), body))
    .digest()
  const matches = String(signatures)
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
  return matches ? undefined : "the signature does not match"
}

const formatEvent = (id: string, body: string, json: boolean): string =>
  json ? `${body}\n` : `${id}\n${JSON.stringify(JSON.parse(body), null, 2)}\n\n`

function parseNumber(text: string, flag: string, max: number): number {
  const number = Number(text)
  if (/^\d{1,16}$/.test(text) && number <= max) return number
  throw new UsageError(`--${flag} is ${JSON.stringify(text)}; it must be a number from 0 to ${max}`)
}

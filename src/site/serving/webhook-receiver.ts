import { setTimeout as sleep } from "node:timers/promises"
import type { Exchange, HttpRoute } from "../../server/exchange/exchange.ts"
import { readRequestBody } from "../../server/reading/body.ts"
import type { ReceivedMessage, Receiver, ReceiverResponse } from "../pages/console/webhooks/receiver-model.ts"

/** What it keeps: messages, bytes of each body, and secrets. */
const [messagesMax, bodyBytesMax, secretsMax] = [100, 16 * 1024, 20]
/** Responses that wait at the same time; a further one is sent at once. */
const waitingMax = 64
const messageBytesMax = 1024 * 1024

type ReceiverDeps = { publicUrl(): string; clock: { now(): number } }

/** A receiver of webhooks inside the service. It keeps what it received in memory. */
export function createWebhookReceiver({ publicUrl, clock }: ReceiverDeps): Receiver & { handle: HttpRoute["handle"] } {
  let messages: ReceivedMessage[] = []
  let response: ReceiverResponse = { status: 200, delaySeconds: 0 }
  let secrets: string[] = []
  let received = 0
  let waiting = 0

  async function pause(exchange: Exchange, seconds: number): Promise<void> {
    if (seconds === 0 || waiting >= waitingMax) return
    const left = new AbortController()
    exchange.response.once("close", () => left.abort())
    waiting++
    await sleep(seconds * 1000, undefined, { signal: left.signal, ref: false }).catch(() => undefined)
    waiting--
  }

  return {
    url: () => `${publicUrl()}${receiverPath}`,
    messages: () => messages,
    response: () => response,
    respondWith(chosen) {
      response = chosen
    },
    secrets: () => secrets,
    trust(secret) {
      secrets = [secret, ...secrets.filter((each) => each !== secret)].slice(0, secretsMax)
    },
    clear() {
      messages = []
    },
    async handle(exchange) {
      exchange.isReadableAnywhere = false
      const body = await readRequestBody(exchange.request, messageBytesMax)
      const { status, delaySeconds } = response
      const message = {
        id: ++received,
        at: new Date(clock.now()).toISOString(),
        headers: headersOf(exchange),
        body: body.subarray(0, bodyBytesMax).toString(),
        isCut: body.length > bodyBytesMax,
        status,
      }
      messages = [message, ...messages].slice(0, messagesMax)
      await pause(exchange, delaySeconds)
      const retryAfter = status === 429 || status === 503 ? ["retry-after", "1"] : []
      return { status, headers: ["cache-control", "no-store", ...retryAfter], body: undefined }
    },
  }
}

export const receiverPath = "/receiver"

const headersOf = ({ request }: Exchange): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

import { setTimeout as sleep } from "node:timers/promises"
import type { AccountStore } from "../../domain/accounts/store.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, HttpRoute } from "../../server/exchange/exchange.ts"
import { readRequestBody } from "../../server/reading/body.ts"
import type { ReceivedMessage, Receiver, ReceiverResponse } from "../pages/console/webhooks/receiver-model.ts"

/** What an account has: messages, bytes of each body, and secrets. */
const [messagesMax, bodyBytesMax, secretsMax] = [100, 16 * 1024, 20]
/** The accounts that used theirs last keep what they received. */
const accountsMax = 10
/** Responses that wait at the same time; a further one is sent at once. */
const waitingMax = 64
const messageBytesMax = 1024 * 1024

type ReceiverDeps = {
  publicUrl(): string
  clock: { now(): number }
  store: { accounts: Pick<AccountStore, "read"> }
}

/** The receivers of webhooks inside the service, one for each account. They keep what they received in memory. */
export type WebhookReceivers = { of(accountId: number): Receiver; handle: HttpRoute["handle"] }

export function createWebhookReceivers({ publicUrl, clock, store }: ReceiverDeps): WebhookReceivers {
  const receivers = new Map<number, Receiver & Inbox>()
  let waiting = 0

  function receiverOf(accountId: number) {
    const receiver = receivers.get(accountId) ?? createReceiver(`${publicUrl()}${receiverPath}/${accountId}`)
    receivers.delete(accountId)
    receivers.set(accountId, receiver)
    for (const unused of [...receivers.keys()].slice(0, -accountsMax)) receivers.delete(unused)
    return receiver
  }

  async function pause(exchange: Exchange, seconds: number): Promise<void> {
    if (seconds === 0 || waiting >= waitingMax) return
    const left = new AbortController()
    exchange.response.once("close", () => left.abort())
    waiting++
    await sleep(seconds * 1000, undefined, { signal: left.signal, ref: false }).catch(() => undefined)
    waiting--
  }

  return {
    of: receiverOf,
    async handle(exchange) {
      exchange.isReadableAnywhere = false
      const accountId = Number(exchange.params.accountId)
      if (!Number.isSafeInteger(accountId) || !(await store.accounts.read(accountId)))
        throw new Problem("not-found", "There is no account with this receiver")
      const body = await readRequestBody(exchange.request, messageBytesMax)
      const receiver = receiverOf(accountId)
      const { status, delaySeconds } = receiver.response()
      receiver.keep({
        at: new Date(clock.now()).toISOString(),
        headers: headersOf(exchange),
        body: body.subarray(0, bodyBytesMax).toString(),
        isCut: body.length > bodyBytesMax,
        status,
      })
      await pause(exchange, delaySeconds)
      const retryAfter = status === 429 || status === 503 ? ["retry-after", "1"] : []
      return { status, headers: ["cache-control", "no-store", ...retryAfter], body: undefined }
    },
  }
}

type Inbox = { keep(message: Omit<ReceivedMessage, "id">): void }

function createReceiver(url: string): Receiver & Inbox {
  let messages: ReceivedMessage[] = []
  let response: ReceiverResponse = { status: 200, delaySeconds: 0 }
  let secrets: string[] = []
  let received = 0
  return {
    url,
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
    keep(message) {
      messages = [{ id: ++received, ...message }, ...messages].slice(0, messagesMax)
    },
  }
}

export const receiverPath = "/receiver"

const headersOf = ({ request }: Exchange): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

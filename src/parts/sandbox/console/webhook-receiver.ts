import { setTimeout as sleep } from "node:timers/promises"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import { SealBroken, sealedFor } from "../../../core/domain/ports/sealing.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange, HttpRoute } from "../../../core/server/exchange/exchange.ts"
import { readRequestBody } from "../../../core/server/reading/body.ts"
import { hidden, isSecretName } from "../journal/secret-forms.ts"
import type { ReceivedMessage, Receiver, ReceiverResponse } from "../pages/receiver-model.ts"

/** What an account has: messages, bytes of each body, and secrets that a person added. */
const [messagesMax, bodyBytesMax, secretsMax] = [100, 16 * 1024, 20]
/** The accounts whose callers used theirs last keep what they received; messages are no use. */
const accountsMax = 10
/** The newest webhooks of an account of which those that send here are known. */
const webhooksAsked = 100
/** Responses that wait at the same time; a further one is sent at once. */
const waitingMax = 64

type ReceiverPorts = Pick<Ports, "publicUrl" | "clock" | "store" | "sealing">

/**
 * The receivers of webhooks inside the service, one for each account. They keep what they received in memory. The address is the sealed
 * id of the account, which only the service can make: a sender must have been told it.
 */
export type WebhookReceivers = { of(accountId: number): Receiver; handle: HttpRoute["handle"] }

export function createWebhookReceivers(ports: ReceiverPorts): WebhookReceivers {
  const { publicUrl, clock, store, sealing } = ports
  const receivers = new Map<number, { receiver: Receiver & Inbox; usedAt: number }>()
  let uses = 0
  let waiting = 0

  function receiverOf(accountId: number, usedAt?: number): Receiver & Inbox {
    const { receiver, ...kept } = receivers.get(accountId) ?? { receiver: createFor(accountId), usedAt: 0 }
    receivers.set(accountId, { receiver, usedAt: usedAt ?? kept.usedAt })
    if (receivers.size > accountsMax) {
      const [least] = [...receivers].toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
      if (least) receivers.delete(least[0])
    }
    return receiver
  }

  function createFor(accountId: number): Receiver & Inbox {
    const base = `${publicUrl()}${receiverPath}/`
    const receives = (url: string) => url.startsWith(base) && openId(url.slice(base.length)) === accountId
    const url = base + sealing.seal(String(accountId), sealedFor.receiver)
    return createReceiver(url, receives, () => secretsOf(ports, accountId, receives))
  }

  async function accountOf(sealed: string): Promise<number> {
    const id = openId(sealed)
    if (id === undefined || !(await store.accounts.read(id)))
      throw new Problem("not-found", "There is no receiver at this address. The console shows that of each account")
    return id
  }

  function openId(sealed: string): number | undefined {
    try {
      return Number(sealing.open(sealed, sealedFor.receiver))
    } catch (error) {
      if (error instanceof SealBroken) return undefined
      throw error
    }
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
    of: (accountId) => receiverOf(accountId, ++uses),
    async handle(exchange) {
      exchange.isReadableAnywhere = false
      const accountId = await accountOf(exchange.params.sealed ?? "")
      const body = await readRequestBody(exchange.request, bodyBytesMax)
      const receiver = receiverOf(accountId)
      const { status, delaySeconds } = receiver.response()
      receiver.keep({
        at: new Date(clock.now()).toISOString(),
        headers: headersOf(exchange),
        body: body.toString(),
        status,
      })
      await pause(exchange, delaySeconds)
      const retryAfter = status === 429 || status === 503 ? ["retry-after", "1"] : []
      return { status, headers: ["cache-control", "no-store", ...retryAfter], body: undefined }
    },
  }
}

/** The secrets with which the service signs what the account's webhooks send here. */
async function secretsOf(
  { clock, store, sealing }: ReceiverPorts,
  accountId: number,
  receives: Receiver["receives"],
): Promise<string[]> {
  const { items } = await store.webhooks.list(accountId, { limit: webhooksAsked, before: undefined })
  const senders = items.filter(({ url }) => receives(url))
  const sealed = await Promise.all(senders.map(({ id }) => store.webhooks.secrets(id, clock.now())))
  return sealed.flat().map((secret) => sealing.open(secret, sealedFor.webhookSecrets))
}

type Inbox = { keep(message: Omit<ReceivedMessage, "id">): void }

function createReceiver(
  url: string,
  receives: Receiver["receives"],
  secretsOfWebhooks: () => Promise<string[]>,
): Receiver & Inbox {
  let messages: ReceivedMessage[] = []
  let response: ReceiverResponse = { status: 200, delaySeconds: 0 }
  let secrets: string[] = []
  let received = 0
  return {
    url,
    receives,
    messages: () => messages,
    response: () => response,
    respondWith(chosen) {
      response = chosen
    },
    secrets: async () => [...secrets, ...(await secretsOfWebhooks())],
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

/** Without the credentials that a sender has for a proxy before the service. */
const headersOf = ({ request }: Exchange): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, isSecretName(name) ? hidden : String(value)]),
  )

import type { Readable } from "node:stream"
import type { Agent, Dispatcher } from "undici"
import type { Outcome } from "../../../domain/webhooks/deliveries/model.ts"
import { retryAfterMsOf } from "../../../domain/webhooks/deliveries/rules.ts"
import type { Clock } from "../../../kernel/clock.ts"
import { messageHeaders } from "../../../kernel/network/standard-webhooks.ts"
import type { AddressGuard } from "./address-guard.ts"
import { classifyFailure, classifyStatus } from "./attempt-error.ts"

export type Timeouts = { connectMs: number; attemptMs: number }

const defaultTimeouts: Timeouts = { connectMs: 5000, attemptMs: 15_000 }

/** The fields of an outcome without a response. */
export const noResponse = { status: undefined, error: undefined, response: undefined, retryAfterMs: undefined }

const keepAliveTimeoutMs = 10_000
const responseBytesMax = 4096

export type Message = {
  url: string
  headers: Record<string, string>
  body: string
  /** Sent instead of the body. */
  stream?: Readable
}

/** Posts messages over connections to checked addresses only. Follows no redirect; reads a bounded part of responses. */
export type Sender = {
  /** Rejects only with the signal's reason, when that aborts the attempt. */
  post(message: Message, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

export function openWebhookSender(
  guard: AddressGuard,
  clock: Clock,
  { connectMs, attemptMs }: Timeouts = defaultTimeouts,
): Sender {
  let loading: Promise<Agent> | undefined

  /** Loads the HTTP client with the first attempt: it takes a fifth of every start, and many services have no webhooks. */
  async function createAgent(): Promise<Agent> {
    const { Agent } = await import("undici")
    const { createGuardedConnector } = await import("./guarded-connector.ts")
    return new Agent({
      connect: createGuardedConnector(guard, connectMs),
      pipelining: 1,
      keepAliveTimeout: keepAliveTimeoutMs,
      headersTimeout: attemptMs,
      bodyTimeout: attemptMs,
      maxHeaderSize: 16_384,
    })
  }

  return {
    async post({ url, headers, body, stream }, signal) {
      loading ??= createAgent()
      const agent = await loading
      const at = clock.now()
      const startedAt = performance.now()
      const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
      const outcome = (more: Partial<Outcome>): Outcome => ({
        at,
        durationMs: Math.round(performance.now() - startedAt),
        ...noResponse,
        ...more,
      })
      try {
        const response = await agent.request({
          ...splitUrl(url),
          method: "POST",
          headers: { ...messageHeaders, ...headers },
          body: stream ?? body,
          signal: limit,
        })
        const { statusCode: status } = response
        const retryAfter = [response.headers["retry-after"]].flat()[0]
        return outcome({
          status,
          error: classifyStatus(status),
          response: await readBeginning(response.body),
          retryAfterMs: retryAfterMsOf(retryAfter, clock.now()),
        })
      } catch (error) {
        signal.throwIfAborted()
        return outcome({ error: classifyFailure(error) })
      }
    },
    close: async () => (await loading)?.destroy(),
  }
}

function splitUrl(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/** Reads the first bytes of a response as text. A truncated body does not matter: the status decides. */
async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= responseBytesMax) break
    }
  } catch {
    // The bytes received before the connection broke are kept.
  }
  body.on("error", () => {}).destroy()
  return Buffer.concat(chunks).subarray(0, responseBytesMax).toString("utf8").replaceAll("\0", "\ufffd")
}

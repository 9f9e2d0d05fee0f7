import { Agent, buildConnector, type Dispatcher } from "undici"
import type { AttemptError } from "../../domain/webhooks/deliveries/contract.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import { retryAfterMsOf } from "../../domain/webhooks/deliveries/rules.ts"
import type { Clock } from "../../kernel/clock.ts"
import { type AddressGuard, RefusedAddress, UnknownHost } from "./address-guard.ts"

/** How long an attempt may take. */
export type Timeouts = { connectMs: number; attemptMs: number }

export const timeouts: Timeouts = { connectMs: 5000, attemptMs: 15_000 }

const keepAliveTimeoutMs = 10_000
const answerBytesMax = 4096

/** What is sent: the exact body and its headers. */
export type Message = { url: string; headers: Record<string, string>; body: string }

/** Posts messages over connections to checked addresses only; follows no redirect, reads answers to a bound. */
export type Sender = {
  /** Never rejects, except with the signal's reason when that ends the attempt. */
  post(message: Message, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

export function sender(guard: AddressGuard, clock: Clock, { connectMs, attemptMs }: Timeouts = timeouts): Sender {
  const agent = new Agent({
    connect: guardedConnector(guard, connectMs),
    pipelining: 1,
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: attemptMs,
    bodyTimeout: attemptMs,
    maxHeaderSize: 16_384,
  })

  return {
    async post({ url, headers, body }, signal) {
      const at = clock.now()
      const began = performance.now()
      const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
      const outcome = (more: Partial<Outcome>): Outcome => ({
        at,
        durationMs: Math.round(performance.now() - began),
        status: undefined,
        error: undefined,
        answer: undefined,
        retryAfterMs: undefined,
        ...more,
      })
      try {
        const answer = await agent.request({
          ...addressOf(url),
          method: "POST",
          headers: { "content-type": "application/json", "user-agent": "Petstore-Webhooks/1", ...headers },
          body,
          signal: limit,
        })
        const { statusCode: status } = answer
        const retryAfter = [answer.headers["retry-after"]].flat()[0]
        return outcome({
          status,
          error: errorOf(status),
          answer: await beginningOf(answer.body),
          retryAfterMs: retryAfterMsOf(retryAfter, clock.now()),
        })
      } catch (error) {
        signal.throwIfAborted()
        return outcome({ error: nameOf(error) })
      }
    },
    close: () => agent.destroy(),
  }
}

/** Resolves and checks a host once, then connects to one of the addresses that were checked, whatever DNS says later. */
function guardedConnector(guard: AddressGuard, timeout: number): buildConnector.connector {
  return (options, callback) => {
    const isLiteral = options.hostname.includes(":") && !options.hostname.startsWith("[")
    const host = isLiteral ? `[${options.hostname}]` : options.hostname
    guard(`${options.protocol}//${host}${options.port ? `:${options.port}` : ""}/`).then(
      (addresses) => {
        const checked = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
        const lookup = (_name: string, { all }: { all?: boolean }, done: (...answer: unknown[]) => void) =>
          all ? done(null, checked) : done(null, checked[0]?.address, checked[0]?.family)
        const connect = buildConnector({ timeout, lookup, autoSelectFamily: true } as buildConnector.BuildOptions)
        connect(options, callback)
      },
      (error) => callback(error, null),
    )
  }
}

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

const errorOf = (status: number): AttemptError | undefined =>
  status >= 200 && status < 300 ? undefined : status >= 300 && status < 400 ? "redirect" : "status"

/** The answer's first bytes as text; what is missing because the receiver stopped half-way does not matter. */
async function beginningOf(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= answerBytesMax) break
    }
  } catch {
    // The status has been heard; that decides.
  }
  body.on("error", () => {}).destroy()
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString("utf8").replaceAll("\0", "\ufffd")
}

/** One name for every way a connection can fail. */
function nameOf(error: unknown): AttemptError {
  for (let cause = error as Failure | undefined; cause; cause = cause.cause ?? cause.errors?.[0]) {
    if (cause instanceof RefusedAddress) return "refused-address"
    if (cause instanceof UnknownHost) return "dns"
    const { code = "", name } = cause
    if (name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) return "timeout"
    if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME|ERR_OSSL)/.test(code)) return "tls"
    if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EINVAL)$/.test(code)) return "connect"
    if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return "reset"
    if (name === "HTTPParserError" || /^UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_INVALID/.test(code))
      return "malformed-answer"
  }
  return "connect"
}

type Failure = Error & { code?: string; cause?: Failure; errors?: Failure[] }

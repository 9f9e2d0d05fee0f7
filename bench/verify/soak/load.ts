import { setTimeout as sleep } from "node:timers/promises"
import { type Received, startReceiver } from "../../../test/harness/receiver.ts"
import { type Activity, activities, type SendRequest } from "./activities.ts"

const requestTimeoutMs = 60_000
const events = ["pet.created", "pet.updated", "pet.deleted"]

/** The mixed load on a service: what it has done so far. */
export type Load = {
  /** By activity. */
  calls: Record<string, number>
  /** Responses other than successes, and requests without one: the activity and the status or the error, with how often. */
  unexpected: Map<string, number>
  /** Milliseconds from each event until its delivery arrived, since this was emptied. */
  delaysMs: number[]
  deliveries(): number
  /** Resolves when no request is in flight any more; deliveries still arrive. */
  stop(): Promise<void>
}

/** Starts all activities, and a webhook with the changes of pets. */
export async function startLoad(url: string): Promise<Load & AsyncDisposable> {
  const receiver = await startReceiver()
  const ending = new AbortController()
  const calls: Record<string, number> = {}
  const unexpected = new Map<string, number>()
  const delaysMs: number[] = []
  let deliveries = 0
  receiver.respond((_request, response) => {
    const [{ body }] = receiver.received.splice(0) as [Received]
    deliveries++
    delaysMs.push(Date.now() - Date.parse(JSON.parse(body).timestamp))
    response.writeHead(204).end()
  })

  async function runClient(name: string, activity: Activity): Promise<void> {
    const send = senderTo(url, activity.streamMs, () => {
      calls[name] = (calls[name] ?? 0) + 1
    })
    for (let n = 0; !ending.signal.aborted; n++) {
      await activity.turn(send, n).catch((error: Error) => {
        const what = `${name}: ${error.message}`
        unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
      })
      await sleep(activity.pauseMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  await senderTo(url)("POST", "/api/v3/webhooks", { url: receiver.url, events })
  const clients = Object.entries(activities).flatMap(([name, activity]) =>
    Array.from({ length: activity.clients }, () => runClient(name, activity)),
  )
  const stop = async () => {
    ending.abort()
    await Promise.all(clients)
  }
  return {
    calls,
    unexpected,
    delaysMs,
    deliveries: () => deliveries,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** Sends requests; rejects unless the response is a success. With `streamMs`, reads for that time only. */
function senderTo(url: string, streamMs?: number, count: () => void = () => undefined): SendRequest {
  return async (method, path, body, headers = {}) => {
    count()
    const isRaw = body instanceof Uint8Array || typeof body === "string"
    const leave = new AbortController()
    using timers = new DisposableStack()
    const leaveAfter = (ms: number) =>
      timers.adopt(
        setTimeout(() => leave.abort(), ms),
        clearTimeout,
      )
    leaveAfter(requestTimeoutMs)
    const response = await fetch(url + path, {
      method,
      headers: { api_key: "special-key", "content-type": "application/json", ...headers },
      signal: leave.signal,
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    })
    if (streamMs !== undefined) leaveAfter(streamMs)
    const text = await response.text().catch((error) => {
      if (streamMs === undefined || !leave.signal.aborted) throw error
      return ""
    })
    if (!response.ok) throw new Error(`${response.status} ${/"code":"([^"]+)"/.exec(text)?.[1]}`)
    return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : {}
  }
}

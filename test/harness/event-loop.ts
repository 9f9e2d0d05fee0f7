import { once } from "node:events"
import { Worker } from "node:worker_threads"

type Sent = { url: string; method: string; headers?: Record<string, string>; body?: string }

/** Watches the event loop; the returned function stops and returns the longest blockage in milliseconds of processor time. */
export function watchLoop(): () => number {
  let longest = 0
  let last = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  const next = () => {
    measure()
    scheduled = setImmediate(next)
  }
  let scheduled = setImmediate(next)
  return () => {
    clearImmediate(scheduled)
    measure()
    return longest
  }
}

/** Sends requests from another thread, whose work is not measured; resolves with the status, or undefined without a response. */
export function openSender() {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads")
    parentPort.on("message", async ({ url, ...sent }) => {
      const signal = AbortSignal.timeout(5_000)
      parentPort.postMessage(
        await fetch(url, { ...sent, redirect: "manual", signal })
          .then(async (response) => {
            if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body.cancel()
            else await response.text()
            return response.status
          })
          .catch(() => undefined),
      )
    })`,
    { eval: true },
  )
  return {
    async send(request: Sent): Promise<number | undefined> {
      worker.postMessage(request)
      const [status] = await once(worker, "message")
      return status
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

/** A text, and how long JSON.parse takes for it on a fast processor. */
const reference = { text: `[${Array(20_000).fill('{"id":12345,"name":"x12345"}').join()}]`, ms: 5.5 }

/** How many times as long as a fast processor this one takes at present, at least 1. One call is as short as the clock is coarse, so ten are measured. */
export function slowness(): number {
  const before = process.threadCpuUsage()
  for (let n = 0; n < 10; n++) JSON.parse(reference.text)
  const { user, system } = process.threadCpuUsage(before)
  return Math.max(1, (user + system) / 10_000 / reference.ms)
}

// Posts the lines of a file at a constant rate until SIGTERM. Run: steady-posts.ts URL FILE POSTS_PER_SECOND
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"

const [, , url, file, rate] = process.argv as [string, string, string, string, string]
const lines = readFileSync(file, "utf8").trim().split("\n")
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const headers = { api_key: "special-key", "content-type": "application/json" }
const startedAt = performance.now()
const counts = { sent: 0, created: 0, failed: 0 }

const timer = setInterval(() => {
  const due = ((performance.now() - startedAt) / 1000) * Number(rate)
  while (counts.sent < due) post(lines[counts.sent++ % lines.length] as string)
}, 1)

function post(body: string): void {
  const sending = request(url, {
    method: "POST",
    agent,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
  })
  sending.on("response", (response) => {
    response.resume()
    counts[response.statusCode === 200 ? "created" : "failed"]++
  })
  sending.on("error", () => counts.failed++)
  sending.end(body)
}

process.on("SIGTERM", () => {
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(JSON.stringify({ perSecond: counts.created / seconds, failed: counts.failed }))
  agent.destroy()
  process.exit(0)
})

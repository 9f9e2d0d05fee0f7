// Posts the lines of a file at a steady rate until it is told to stop. Run: steady-posts.ts URL FILE POSTS_A_SECOND
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"

const [, , url, file, rate] = process.argv as [string, string, string, string, string]
const lines = readFileSync(file, "utf8").trim().split("\n")
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const headers = { api_key: "special-key", "content-type": "application/json" }
const begun = performance.now()
const counted = { sent: 0, created: 0, failed: 0 }

const timer = setInterval(() => {
  const due = ((performance.now() - begun) / 1000) * Number(rate)
  while (counted.sent < due) post(lines[counted.sent++ % lines.length] as string)
}, 1)

function post(body: string): void {
  const sending = request(url, {
    method: "POST",
    agent,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
  })
  sending.on("response", (response) => {
    response.resume()
    counted[response.statusCode === 200 ? "created" : "failed"]++
  })
  sending.on("error", () => counted.failed++)
  sending.end(body)
}

process.on("SIGTERM", () => {
  clearInterval(timer)
  const seconds = (performance.now() - begun) / 1000
  process.stdout.write(JSON.stringify({ perSecond: counted.created / seconds, failed: counted.failed }))
  agent.destroy()
  process.exit(0)
})

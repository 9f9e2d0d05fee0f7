import { readFileSync } from "node:fs"
import { Agent, type RequestOptions, request } from "node:http"

const concurrency = 64

/**
 * Posts the first `count` lines of a file, cyclically when it is shorter, one or more in each request; rejects when a request fails.
 * `count` is a multiple of `linesEach`.
 */
export async function fill(
  url: string,
  headers: Record<string, string>,
  file: string,
  count: number,
  linesEach = 1,
): Promise<void> {
  const type = linesEach === 1 ? "application/json" : "application/x-ndjson"
  const lines = readFileSync(file, "utf8").trim().split("\n")
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let next = 0
  const postRest = async () => {
    while (next < count) {
      const some = Array.from({ length: linesEach }, () => lines[next++ % lines.length] as string)
      const body = Buffer.from(some.join("\n"))
      const sent = { ...headers, "content-type": type, "content-length": body.length }
      await post(url, { method: "POST", agent, headers: sent }, body)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, postRest))
  agent.destroy()
}

const post = (url: string, options: RequestOptions, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const sending = request(url, options, (response) => {
      response.resume().on("end", resolve)
      if (response.statusCode !== 200 && response.statusCode !== 201)
        reject(new Error(`POST ${url}: ${response.statusCode}`))
    })
    sending.on("error", reject)
    sending.end(body)
  })

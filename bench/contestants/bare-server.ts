// Only node:http: responds to each path with its body from a file, or with 304 to its entity tag. Run: bare-server.ts PORT FILE
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const [, , port, file] = process.argv as [string, string, string, string]
const known: Record<string, { body: string; etag: string }> = JSON.parse(readFileSync(file, "utf8"))
const responses = new Map(
  Object.entries(known).map(([path, { body, etag }]) => [path, { body: Buffer.from(body), etag }]),
)

createServer((request, response) => {
  const found = responses.get(request.url ?? "")
  if (found === undefined) return void response.writeHead(404).end()
  const { body, etag } = found
  if (request.headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length })
  response.end(body)
}).listen(Number(port), "127.0.0.1")

// Only node:http: responds to each path with its body from a file. Run: bare-server.ts PORT FILE
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const [, , port, file] = process.argv as [string, string, string, string]
const bodies: Record<string, string> = JSON.parse(readFileSync(file, "utf8"))
const responses = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]))

createServer((request, response) => {
  const body = responses.get(request.url ?? "")
  if (body === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length })
  response.end(body)
}).listen(Number(port), "127.0.0.1")

// The floor for durable creates: one row in one table a request, one fdatasync for the requests that arrive together, no checks.
// Run: floor-server.ts PORT FILE
import { fdatasync, openSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { DatabaseSync } from "node:sqlite"

const [, , port, file] = process.argv as [string, string, string, string]
const db = new DatabaseSync(file)
// The log is flushed below, while the next group is written.
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE pets (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
`)
const log = openSync(`${file}-wal`, "r")
const add = db.prepare("INSERT INTO pets (json) VALUES (?)")

let waiting: { json: string; response: ServerResponse }[] = []
let isFlushing = false

function writeGroup(): void {
  if (isFlushing || waiting.length === 0) return
  const group = waiting
  waiting = []
  isFlushing = true
  db.exec("BEGIN")
  const ids = group.map(({ json }) => add.run(json).lastInsertRowid)
  db.exec("COMMIT")
  fdatasync(log, (error) => {
    if (error) throw error
    isFlushing = false
    for (const [n, { json, response }] of group.entries())
      response.writeHead(200, { "content-type": "application/json" }).end(`{"id":${ids[n]},${json.slice(1)}`)
    writeGroup()
  })
}

createServer((request, response) => {
  if (request.method !== "POST") return void response.end("{}")
  const parts: Buffer[] = []
  request
    .on("data", (part: Buffer) => parts.push(part))
    .on("end", () => {
      waiting.push({ json: Buffer.concat(parts).toString(), response })
      setImmediate(writeGroup)
    })
}).listen(Number(port), "127.0.0.1")

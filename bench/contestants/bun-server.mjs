// A handwritten server: Bun.serve and bun:sqlite, one flush for the creates that arrive together, without keys, limits or a log.
// Run: bun bun-server.mjs PORT FILE
import { Database } from "bun:sqlite"

const [, , port, file] = process.argv
const db = new Database(file)
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS pets (id INTEGER PRIMARY KEY, status TEXT NOT NULL, json TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);
`)
const read = db.query("SELECT id, json FROM pets WHERE id = ?")
const list = db.query("SELECT id, json FROM pets WHERE status = ? ORDER BY id DESC LIMIT 100")
const add = db.query("INSERT INTO pets (status, json) VALUES (?, ?)")
const show = ({ id, json }) => ({ id, ...JSON.parse(json) })
const statuses = ["available", "pending", "sold"]

let waiting = []

/** One transaction, flushed on the event loop: bun:sqlite has no other way. */
const commitGroup = db.transaction((group) => {
  for (const creation of group) {
    const { lastInsertRowid } = add.run(creation.pet.status, JSON.stringify(creation.pet))
    creation.id = Number(lastInsertRowid)
  }
})

function flush() {
  const group = waiting
  waiting = []
  commitGroup(group)
  for (const { id, pet, resolve } of group) resolve(Response.json({ id, ...pet }))
}

Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  routes: {
    "/livez": () => Response.json({}),
    "/pet/findByStatus": (request) =>
      Response.json(list.all(new URL(request.url).searchParams.get("status")).map(show)),
    "/pet/:id": ({ params }) => {
      const row = read.get(Number(params.id))
      return row ? Response.json(show(row)) : Response.json({ message: "Pet not found" }, { status: 404 })
    },
    "/pet": {
      async POST(request) {
        const { status = "available", ...pet } = await request.json()
        const isValid = pet.name?.length > 0 && Array.isArray(pet.photoUrls) && statuses.includes(status)
        if (!isValid) return Response.json({ message: "Invalid pet" }, { status: 422 })
        return new Promise((resolve) => {
          if (waiting.push({ pet: { ...pet, status }, resolve }) === 1) setImmediate(flush)
        })
      },
    },
  },
})

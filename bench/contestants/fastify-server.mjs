// A handwritten server of minimal effort: Fastify and node:sqlite, without keys, limits or a log. Run: fastify-server.mjs PORT FILE
import { DatabaseSync } from "node:sqlite"
import Fastify from "fastify"

const [, , port, file] = process.argv
const db = new DatabaseSync(file)
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS pets (id INTEGER PRIMARY KEY, status TEXT NOT NULL, json TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);
`)
const read = db.prepare("SELECT id, json FROM pets WHERE id = ?")
const list = db.prepare("SELECT id, json FROM pets WHERE status = ? ORDER BY id DESC LIMIT 100")
const add = db.prepare("INSERT INTO pets (status, json) VALUES (?, ?)")
const show = ({ id, json }) => ({ id, ...JSON.parse(json) })

const schema = {
  type: "object",
  required: ["name", "photoUrls"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 255 },
    status: { enum: ["available", "pending", "sold"] },
    photoUrls: { type: "array", items: { type: "string" } },
    category: { type: "object", properties: { name: { type: "string" } } },
    tags: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
  },
}

const fastify = Fastify()
fastify.get("/livez", () => ({}))
fastify.get("/pet/findByStatus", ({ query }) => list.all(query.status ?? "available").map(show))
fastify.get("/pet/:id", ({ params }, reply) => {
  const row = read.get(Number(params.id))
  return row ? show(row) : reply.code(404).send({ message: "Pet not found" })
})
fastify.post("/pet", { schema: { body: schema } }, ({ body }) => {
  const { lastInsertRowid: id } = add.run(body.status ?? "available", JSON.stringify(body))
  return { id: Number(id), ...body }
})
await fastify.listen({ port: Number(port), host: "127.0.0.1" })

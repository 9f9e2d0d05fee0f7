import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fill } from "../load/fill.ts"
import { createsOf } from "../load/wrk.ts"
import { startServer } from "../machine/server-process.ts"
import type { Contestant } from "./contestant.ts"
import { buildPocketBase } from "./installed.ts"

const admin = { identity: "bench@example.com", password: "bench-password" }
const fields = [
  { name: "name", type: "text", required: true, max: 255 },
  { name: "status", type: "select", values: ["available", "pending", "sold"], maxSelect: 1 },
  ...["category", "tags", "photoUrls"].map((name) => ({ name, type: "json" })),
]
/** Public access: requests carry no credentials, so that it has no token to check. */
const rules = { listRule: "", viewRule: "", createRule: "" }
const indexes = ["CREATE INDEX pets_by_status ON pets (status)"]

export const pocketbase: Contestant = {
  name: "PocketBase",
  async start({ directory, file, count }) {
    const program = await buildPocketBase()
    const dataDir = `--dir=${join(directory, "pocketbase")}`
    execFileSync(program, ["superuser", "upsert", admin.identity, admin.password, dataDir], { stdio: "ignore" })
    const server = await startServer({
      command: (port) => [program, "serve", `--http=127.0.0.1:${port}`, dataDir],
      readyPath: "/api/health",
    })
    const post = async (path: string, body: object, token = ""): Promise<Record<string, unknown>> => {
      const headers = { "content-type": "application/json", ...(token && { authorization: token }) }
      const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
      return (await response.json()) as Record<string, unknown>
    }
    const { token } = await post("/api/collections/_superusers/auth-with-password", admin)
    await post("/api/collections", { name: "pets", type: "base", fields, indexes, ...rules }, String(token))
    const records = `${server.url}/api/collections/pets/records`
    const { id } = await post("/api/collections/pets/records", { name: "First", status: "sold" })
    await fill(records, {}, file, count)
    const list = `${records}?perPage=100&skipTotal=1&filter=${encodeURIComponent("status='available'")}`
    return {
      ...server,
      targets: {
        get: { url: `${records}/${id}` },
        list: { url: list },
        create: createsOf(records, file),
      },
    }
  },
}

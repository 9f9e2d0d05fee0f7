import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../machine/server-process.ts"
import type { Running } from "./contestant.ts"

/** The baseline: a bare node:http server that sends the same bytes as this contestant for a pet and for a list, and a 304. */
export async function startBare({ targets }: Pick<Running, "targets">, directory: string): Promise<Running> {
  const responses: Record<string, { body: string; etag: string }> = {}
  for (const question of ["get", "list"] as const) {
    const target = targets[question]
    if (target === undefined) throw new Error(`no target for ${question}`)
    const response = await fetch(target.url, { headers: target.headers ?? {} })
    responses[`/${question}`] = { body: await response.text(), etag: response.headers.get("etag") ?? `"${question}"` }
  }
  const file = join(directory, "bare-responses.json")
  writeFileSync(file, JSON.stringify(responses))
  const script = join(import.meta.dirname, "bare-server.ts")
  const server = await startServer({
    command: (port) => [process.execPath, script, String(port), file],
    readyPath: "/get",
  })
  const [get, list] = [{ url: `${server.url}/get` }, { url: `${server.url}/list` }]
  const unchanged = { ...get, headers: { "if-none-match": responses["/get"]?.etag ?? "" } }
  return { ...server, targets: { get, unchanged, list } }
}

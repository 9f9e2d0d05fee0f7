import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../machine/server-process.ts"
import type { Running } from "./contestant.ts"

/** The baseline: a bare node:http server that sends the same bytes as this contestant for a pet and for a list. */
export async function startBare({ targets }: Pick<Running, "targets">, directory: string): Promise<Running> {
  const bodies: Record<string, string> = {}
  for (const question of ["get", "list"] as const) {
    const target = targets[question]
    if (target === undefined) throw new Error(`no target for ${question}`)
    const response = await fetch(target.url, { headers: target.headers ?? {} })
    bodies[`/${question}`] = await response.text()
  }
  const file = join(directory, "bare-bodies.json")
  writeFileSync(file, JSON.stringify(bodies))
  const script = join(import.meta.dirname, "bare-server.ts")
  const server = await startServer({
    command: (port) => [process.execPath, script, String(port), file],
    readyPath: "/get",
  })
  return { ...server, targets: { get: { url: `${server.url}/get` }, list: { url: `${server.url}/list` } } }
}

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { manualClock } from "./clock.ts"
import { petstoreCommand } from "./command-line.ts"
import { temporaryDirectory } from "./directory.ts"

const url = "http://127.0.0.1:8080"

type Sent = { path: string; key: string | undefined; pets: Record<string, unknown>[]; bytes: number }
type Results = { id?: number; problem?: object }[]
type Options = {
  /** How long the service takes to respond. */
  tookMs?: number
  isTerminal?: boolean
}

/** Imports of a file into a service that responds as given, by default with an id for each pet. */
export function openImport({ tookMs = 0, isTerminal = false }: Options = {}) {
  const directory = temporaryDirectory()
  const clock = manualClock()
  const interruption = new AbortController()
  const sent: Sent[] = []
  let respond = (pets: Sent["pets"]): Results | Response | undefined => pets.map((_, n) => ({ id: n + 1 }))
  let running = 0
  let runningMax = 0
  async function send(address: string, { headers, body = "[]" }: { headers: Record<string, string>; body?: unknown }) {
    clock.advance(tookMs)
    const path = address.slice(`${url}/api/v3`.length)
    const pets = JSON.parse(String(body))
    sent.push({ path, key: headers["idempotency-key"], pets, bytes: Buffer.byteLength(String(body)) })
    if (path === "/account") return Response.json({ store: "s1" })
    running += 1
    runningMax = Math.max(runningMax, running)
    await setImmediate()
    running -= 1
    const results = respond(pets)
    if (results instanceof Response) return results
    if (results) return Response.json(results, { headers: { "x-request-id": "r-1" } })
    return new Response("down", { status: 500 })
  }
  const write = (text: string) => {
    writeFileSync(join(directory.path, "pets.ndjson"), text)
    return join(directory.path, "pets.ndjson")
  }
  return {
    sent,
    interruption,
    directory: directory.path,
    runningMax: () => runningMax,
    respond(how: typeof respond) {
      respond = how
    },
    write,
    writePets: (pets: readonly object[]) => write(pets.map((each) => `${JSON.stringify(each)}\n`).join("")),
    run: (argv: string[], stdin = "") =>
      petstoreCommand(url, ["import", ...argv], {
        fetch: send,
        clock,
        stdin,
        isTerminal,
        stateDir: directory.path,
        interrupted: interruption.signal,
      }),
    [Symbol.dispose]: directory[Symbol.dispose],
  }
}

import { join } from "node:path"
import { fill } from "../load/fill.ts"
import { anyOf, createsOf } from "../load/wrk.ts"
import { startServer } from "../machine/server-process.ts"
import type { Contestant } from "./contestant.ts"
import { buildGo, buildRust, bunProgram, installContestants } from "./installed.ts"

const script = (name: string): string => join(import.meta.dirname, name)

/** Handwritten servers of minimal effort, on SQLite, that validate a body and store it durably, without keys, limits or a log. */
export const byHand: readonly Contestant[] = [
  handwritten("Fastify and SQLite by hand", async () => {
    await installContestants()
    return [process.execPath, script("fastify-server.mjs")]
  }),
  handwritten("Bun and SQLite by hand", async () => [await bunProgram(), script("bun-server.mjs")]),
  handwritten("Go net/http and SQLite by hand", async () => [await buildGo()]),
  handwritten("Rust axum and SQLite by hand", async () => [await buildRust()]),
]

/** `prepare` resolves with its command; port and database file are appended. */
function handwritten(name: string, prepare: () => Promise<string[]>): Contestant {
  return {
    name,
    async start({ directory, file, count }) {
      const command = await prepare()
      const database = join(directory, `${name.replaceAll(/\W+/g, "-")}.db`)
      const server = await startServer({
        command: (port) => [...command, String(port), database],
        readyPath: "/livez",
      })
      await fill(`${server.url}/pet`, {}, file, count)
      return {
        ...server,
        targets: {
          get: { url: `${server.url}/pet/1` },
          random: anyOf("random", `${server.url}/pet/`, count),
          list: { url: `${server.url}/pet/findByStatus?status=available` },
          // They ask their database for each page, the same one or another.
          anyPage: { url: `${server.url}/pet/findByStatus?status=available` },
          create: createsOf(`${server.url}/pet`, file),
        },
      }
    },
  }
}

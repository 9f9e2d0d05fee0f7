import { join } from "node:path"
import { fill } from "../load/fill.ts"
import { createsOf } from "../load/wrk.ts"
import { startServer } from "../machine/server-process.ts"
import type { Contestant } from "./contestant.ts"
import { installContestants } from "./installed.ts"

export const fastify: Contestant = {
  name: "Fastify and SQLite by hand",
  async start({ directory, file, count }) {
    await installContestants()
    const script = join(import.meta.dirname, "fastify-server.mjs")
    const server = await startServer({
      command: (port) => [process.execPath, script, String(port), join(directory, "fastify.db")],
      readyPath: "/livez",
    })
    await fill(`${server.url}/pet`, {}, file, count)
    return {
      ...server,
      targets: {
        get: { url: `${server.url}/pet/1` },
        list: { url: `${server.url}/pet/findByStatus?status=available` },
        create: createsOf(`${server.url}/pet`, file),
      },
    }
  },
}

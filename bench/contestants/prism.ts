import { join } from "node:path"
import { startServer } from "../machine/server-process.ts"
import type { Contestant } from "./contestant.ts"
import { installContestants } from "./installed.ts"

const description = join(import.meta.dirname, "..", "..", "openapi.json")
const headers = { api_key: "anything" }

/** A mock: it validates requests against our description and responds with the description's examples. */
export const prism: Contestant = {
  name: "Prism (mock)",
  async start() {
    const program = join(await installContestants(), "prism")
    const server = await startServer({
      command: (port) => [
        process.execPath,
        program,
        "mock",
        "-h",
        "127.0.0.1",
        "-p",
        String(port),
        "-v",
        "silent",
        description,
      ],
      readyPath: "/pet/1",
      headers,
    })
    return { ...server, targets: { get: { url: `${server.url}/pet/1`, headers } } }
  },
}

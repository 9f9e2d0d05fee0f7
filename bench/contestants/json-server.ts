import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../machine/server-process.ts"
import type { Contestant } from "./contestant.ts"
import { installContestants } from "./installed.ts"

/** It rewrites its whole file for every POST without waiting for the write, so its creates are not durable: not measured. */
export const jsonServer: Contestant = {
  name: "json-server",
  async start({ directory, file }) {
    const commands = await installContestants()
    const database = join(directory, "json-server.json")
    const lines = readFileSync(file, "utf8").trim().split("\n")
    writeFileSync(database, JSON.stringify({ pets: lines.map((line, n) => ({ id: n + 1, ...JSON.parse(line) })) }))
    const program = join(commands, "json-server")
    const server = await startServer({
      command: (port) => [process.execPath, program, "--quiet", "--port", String(port), "--host=127.0.0.1", database],
      cwd: directory,
      readyPath: "/pets/1",
    })
    return {
      ...server,
      targets: {
        get: { url: `${server.url}/pets/1` },
        list: { url: `${server.url}/pets?status=available&_sort=id&_order=desc&_limit=100` },
      },
    }
  },
}

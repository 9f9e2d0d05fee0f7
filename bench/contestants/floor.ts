import { join } from "node:path"
import { createsOf } from "../load/wrk.ts"
import { startServer } from "../machine/server-process.ts"
import type { Contestant } from "./contestant.ts"

export const floor: Contestant = {
  name: "Floor: one row, one flush a group",
  async start({ directory, file }) {
    const script = join(import.meta.dirname, "floor-server.ts")
    const server = await startServer({
      command: (port) => [process.execPath, script, String(port), join(directory, "floor.db")],
      readyPath: "/",
    })
    return { ...server, targets: { create: createsOf(`${server.url}/pet`, file) } }
  },
}

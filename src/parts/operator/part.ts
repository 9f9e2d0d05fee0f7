import type { Part } from "../../core/assembly/part.ts"
import { administration } from "./administration.ts"
import { listenForAdmin } from "./socket.ts"

/** The socket for commands of an operator on this machine. */
export const operatorPart: Part = {
  name: "operator",
  needs: ["replicas", "oauth"],
  open: ({ config }) => ({
    serve: ({ opened: { ports, sealing }, hashCheck }) => ({
      listening({ url, address, reset }) {
        const { store, clock, blobs, log } = ports
        const administer = administration(store, clock, sealing, { blobs, hashCheck, reset, url, address, log })
        return listenForAdmin(config.dataDir, administer, log)
      },
    }),
  }),
}

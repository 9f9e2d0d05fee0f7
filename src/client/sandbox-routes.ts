import type { sandbox } from "../domain/sandbox/contract.ts"
import type { Client, Route } from "./client.ts"

/** The operations that only sandboxes have. Generated from their contract without its schemas. */
export const sandboxRoutes: Record<keyof Client<typeof sandbox>, Route> = {
  resetSandbox: { method: "POST", path: "/sandbox/reset" },
  forkSandbox: { method: "POST", path: "/sandbox/forks" },
  getClock: { method: "GET", path: "/sandbox/clock" },
  advanceClock: { method: "POST", path: "/sandbox/clock" },
  listSandboxes: { method: "GET", path: "/sandboxes" },
  createSandbox: { method: "POST", path: "/sandboxes" },
  getSandbox: { method: "GET", path: "/sandboxes/{name}" },
  exportSandbox: { method: "GET", path: "/sandboxes/{name}/file" },
  deleteSandbox: { method: "DELETE", path: "/sandboxes/{name}" },
  listRequests: { method: "GET", path: "/sandbox/requests" },
  getRequest: { method: "GET", path: "/sandbox/requests/{id}" },
  deleteRequests: { method: "DELETE", path: "/sandbox/requests" },
  verifyRequests: { method: "POST", path: "/sandbox/requests/verify" },
  getFaults: { method: "GET", path: "/sandbox/faults" },
  setFaults: { method: "PUT", path: "/sandbox/faults" },
  deleteFaults: { method: "DELETE", path: "/sandbox/faults" },
}

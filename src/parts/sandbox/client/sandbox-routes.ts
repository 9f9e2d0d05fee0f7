import type { Client, Route } from "../../../client/client.ts"
import type { sandbox } from "../contract.ts"

/** The operations that only sandboxes have. Generated from their contract without its schemas. */
export const sandboxRoutes: Record<keyof Client<typeof sandbox>, Route> = {
  resetSandbox: { method: "POST", path: "/sandbox/reset" },
  forkSandbox: { method: "POST", path: "/sandbox/forks" },
  getClock: { path: "/sandbox/clock" },
  advanceClock: { method: "POST", path: "/sandbox/clock" },
  listSandboxes: { path: "/sandboxes" },
  createSandbox: { method: "POST", path: "/sandboxes" },
  getSandbox: { path: "/sandboxes/{name}" },
  exportSandbox: { path: "/sandboxes/{name}/file" },
  diffSandbox: { path: "/sandboxes/{name}/diff" },
  deleteSandbox: { method: "DELETE", path: "/sandboxes/{name}" },
  listRequests: { path: "/sandbox/requests" },
  exportRequests: { path: "/sandbox/requests/har" },
  getRequest: { path: "/sandbox/requests/{id}" },
  deleteRequests: { method: "DELETE", path: "/sandbox/requests" },
  verifyRequests: { method: "POST", path: "/sandbox/requests/verify" },
  getFaults: { path: "/sandbox/faults" },
  setFaults: { method: "PUT", path: "/sandbox/faults" },
  deleteFaults: { method: "DELETE", path: "/sandbox/faults" },
  listHolds: { path: "/sandbox/holds" },
  releaseHold: { method: "POST", path: "/sandbox/holds/{id}/release" },
  getDefects: { path: "/sandbox/defects" },
  setDefects: { method: "PUT", path: "/sandbox/defects" },
  startExamTask: { method: "POST", path: "/sandbox/exam/{task}" },
  getExam: { path: "/sandbox/exam" },
}

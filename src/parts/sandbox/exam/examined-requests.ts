import { setTimeout as after } from "node:timers/promises"
import type { SandboxClient } from "../client/sandbox-client.ts"
import type { RecordedRequest } from "../journal/contract.ts"

/** The key of the exam itself. */
export const administrator = "special-key"
/** As the journal names it. */
const administratorCaller = "key 1"

/** A request is recorded when its response has ended, which may be after the client has read it. */
const recordedMs = 100

/** The requests of what is examined, oldest first. */
export async function readRequests(sandbox: SandboxClient): Promise<RecordedRequest[]> {
  await after(recordedMs)
  return (await sandbox.requests()).filter(({ caller }) => caller !== administratorCaller)
}

const shownMax = 10

/** The requests with the time since the first, and what distinguishes them. */
export function describeRequests(requests: readonly RecordedRequest[]): string[] {
  const start = Date.parse(requests[0]?.time ?? "")
  const lines = requests.slice(0, shownMax).map(({ time, method, path, status = "no response", fault, request }) => {
    const told = ["idempotency-key", "if-match"].flatMap((name) =>
      request.headers[name] === undefined ? [] : [`${name}: ${request.headers[name]}`],
    )
    return [`+${Date.parse(time) - start} ms ${method} ${path} ${status}`, fault ?? [], told].flat().join(", ")
  })
  return requests.length > shownMax ? [...lines, `and ${requests.length - shownMax} more`] : lines
}

import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Visit } from "../../console/pages/page.ts"
import type { Call, Calls } from "../../site/serving/call.ts"
import type { OwnRequest } from "../console/send-to-self.ts"
import type { sandbox } from "../contract.ts"
import type { Sandbox } from "../named/contract.ts"
import type { Receiver } from "./receiver-model.ts"

export type SandboxCall = Calls<typeof sandbox> &
  Pick<Call, "getInventory" | "listWebhooks" | "listKeys" | "getKey" | "listEvents" | "listDeliveries">

/** What the pages of sandboxes use in a visit to the console. */
export type SandboxVisit = {
  /** The operations of a named sandbox, or without a name of the service's own. Throws the 404 for an unknown one. */
  call(name?: string): Promise<SandboxCall>
  /** Sends a request to a named sandbox, or without a name to the service's own, with a credential of this person. */
  send(request: OwnRequest, name?: string): Promise<void>
  /** The receiver of webhooks of the account. */
  receiver(): Receiver
  /** The named sandboxes of this process. */
  list(): readonly Sandbox[]
  /** Makes a named sandbox from the text of a sandbox file. Throws the problem of `createSandbox`. */
  makeFrom(file: AsyncIterable<Buffer>, name: string): Promise<Sandbox>
  /** Leads to the console of a named sandbox, signed in. Throws the 404 for an unknown one. */
  enter(name: string): Promise<HttpResponse>
}

const visits = new WeakMap<Visit, SandboxVisit>()

export const keepSandbox = (visit: Visit, sandbox: SandboxVisit): void => {
  visits.set(visit, sandbox)
}

export function sandboxOf(visit: Visit): SandboxVisit {
  const sandbox = visits.get(visit)
  if (!sandbox) throw new Problem("not-found", "There is no sandbox")
  return sandbox
}

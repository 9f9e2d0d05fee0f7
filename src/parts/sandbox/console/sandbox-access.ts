import type { StoreApi } from "../../../core/api/operations/api.ts"
import type { Invocable } from "../../../core/api/operations/invoke.ts"
import { streamOpener } from "../../../core/api/operations/open-stream.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { ApiContract } from "../../../core/domain/api.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { callerOf } from "../../site/serving/caller.ts"
import type { Visitor } from "../../site/serving/visitor.ts"
import type { sandbox } from "../contract.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { sandboxPath } from "../named/path.ts"
import type { SandboxCall } from "../pages/sandbox-visit.ts"
import { sandboxKeys } from "../seeds/keys.ts"
import { type OwnRequest, sendToSelf } from "./send-to-self.ts"

/** A sandbox, and who acts in it for a person. */
type Access = { api: StoreApi; caller: Caller; token?: string; headers: Record<string, string> }

/** The sandboxes that an administrator uses in the console. */
type SandboxAccess = {
  /** The operations on a sandbox; without a name, on the service's own. Throws the 404 for an unknown one. */
  callIn(exchange: Exchange, visitor: Visitor, name: string | undefined): Promise<SandboxCall>
  /** Sends a request to a sandbox, as a client with a credential of this person would. */
  send(exchange: Exchange, visitor: Visitor, name: string | undefined, wanted: OwnRequest): Promise<void>
  streamRequests(
    exchange: Exchange<Caller>,
    visitor: Visitor,
    name: string | undefined,
  ): Promise<HttpResponse | undefined>
}

/** Uses a named sandbox with its public key. Throws the 404 for an unknown one. */
export async function enterNamed(
  sandboxes: Pick<NamedSandboxes, "hold">,
  exchange: Exchange,
  name: string,
): Promise<Access> {
  const api = await sandboxes.hold(exchange, name)
  if (!api) throw new Problem("sandbox-not-found", `There is no sandbox ${name}`)
  const headers = { api_key: sandboxKeys[0].secret }
  const { caller } = await api.authenticate({ headers, socket: exchange.request.socket }, exchange.address)
  return { api, caller, headers }
}

/** Runs the operations of sandboxes for an administrator: in the service's own as that person, in a named one with its public key. */
export function sandboxAccess(own: StoreApi, sandboxes: NamedSandboxes): SandboxAccess {
  async function enter(exchange: Exchange, visitor: Visitor, name: string | undefined): Promise<Access> {
    if (name === undefined) return { ...visitor, api: own, headers: { authorization: `Bearer ${visitor.token}` } }
    return enterNamed(sandboxes, exchange, name)
  }

  return {
    async callIn(exchange, visitor, name) {
      const { api, ...by } = await enter(exchange, visitor, name)
      const callAs = callerOf<ApiContract & typeof sandbox>(api, api.admitKnown, name && sandboxPath(name))
      return callAs(exchange, by)
    },
    async send(exchange, visitor, name, { path, headers, ...wanted }) {
      const access = await enter(exchange, visitor, name)
      const at = name === undefined ? path : sandboxPath(name) + path
      await sendToSelf(exchange, { ...wanted, path: at, headers: { ...headers, ...access.headers } })
    },
    async streamRequests(exchange, visitor, name) {
      const { api, caller, headers } = await enter(exchange, visitor, name)
      const streamRequests = api.invocables.find((one) => one.name === "streamRequests") as Invocable
      const open = streamOpener(streamRequests, api, api.streamsOf("streamRequests"))
      const { address, id } = exchange
      const { socket } = exchange.request
      return open(exchange, { caller, address, id, request: { socket, headers } }, false)
    },
  }
}

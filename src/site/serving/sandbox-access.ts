import type { Streams } from "../../api/feeds/streams.ts"
import type { StoreApi } from "../../api/operations/api.ts"
import type { Invocable } from "../../api/operations/invoke.ts"
import { streamOpener } from "../../api/operations/open-stream.ts"
import type { NamedSandboxes } from "../../api/sandbox/named.ts"
import type { Sandbox } from "../../domain/sandbox/named/contract.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { sandboxPath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { SandboxCall } from "../pages/console/call.ts"
import { callerOf, type Visitor } from "./caller.ts"
import { type OwnRequest, sendToSelf } from "./send-to-self.ts"
import type { Person } from "./visitor.ts"

type AccessDeps = {
  /** The service's own sandbox. */
  api: StoreApi
  sandboxes: NamedSandboxes
  /** A key with the scope `admin` that every named sandbox has. */
  knownKey: string
}

/** A sandbox, and who acts in it for a person. */
type Access = { api: StoreApi; visitor: Visitor; headers: Record<string, string> }

/** The sandboxes that an administrator uses in the console. */
export type SandboxAccess = {
  /** The operations on a sandbox; without a name, on the service's own. Throws the 404 for an unknown one. */
  callIn(exchange: Exchange, person: Person, name: string | undefined): Promise<SandboxCall>
  /** Sends a request to a sandbox, as a client with a credential of this person would. */
  send(exchange: Exchange, person: Person, name: string | undefined, wanted: OwnRequest): Promise<void>
  streamRequests(exchange: Exchange, person: Person, name: string | undefined): Promise<HttpResponse | undefined>
  /** Keeps a named sandbox for this request; undefined when there is none with this name. */
  hold(exchange: Exchange, name: string): StoreApi | undefined
  /** The named sandboxes of this process. */
  list(): readonly Sandbox[]
}

/** Runs the operations of sandboxes for an administrator: in the service's own as that person, in a named one with its public key. */
export function sandboxAccess({ api: own, sandboxes, knownKey }: AccessDeps): SandboxAccess {
  async function enter(exchange: Exchange, person: Person, name: string | undefined): Promise<Access> {
    if (name === undefined) return { api: own, visitor: person, headers: { authorization: `Bearer ${person.token}` } }
    const api = sandboxes.hold(exchange, name)
    if (!api) throw new Problem("sandbox-not-found", `There is no sandbox ${name}`)
    const headers = { api_key: knownKey }
    const { request, address, id } = person
    const { caller } = await api.authenticate({ headers, socket: request.socket }, address)
    return { api, visitor: { request, address, id, caller, token: undefined }, headers }
  }

  return {
    async callIn(exchange, person, name) {
      const { api, visitor } = await enter(exchange, person, name)
      return callerOf({ ...api, admit: api.admitKnown, sandbox: name })(visitor) as unknown as SandboxCall
    },
    async send(exchange, person, name, { path, headers, ...wanted }) {
      const access = await enter(exchange, person, name)
      const at = name === undefined ? path : sandboxPath(name) + path
      await sendToSelf(exchange, { ...wanted, path: at, headers: { ...headers, ...access.headers } })
    },
    async streamRequests(exchange, person, name) {
      const { api, visitor, headers } = await enter(exchange, person, name)
      const streamRequests = api.invocables.find((one) => one.name === "streamRequests") as Invocable
      const open = streamOpener(streamRequests, { ...api, streams: api.requestStreams as Streams })
      const { caller, address, id, request } = visitor
      const { socket } = request
      return open(exchange, { caller, address, id, request: { socket, headers } }, false)
    },
    hold: (exchange, name) => sandboxes.hold(exchange, name),
    list: () => sandboxes.list(),
  }
}

import { createMcpHandler, type Server } from "@modelcontextprotocol/server"
import { createClient } from "../../client/client.ts"
import { scopeMissing } from "../../core/api/admission/admission.ts"
import { admittedCaller } from "../../core/api/authentication/caller.ts"
import { resourceMetadataUrl } from "../../core/api/authentication/resource-metadata.ts"
import type { StoreApi } from "../../core/api/operations/api.ts"
import type { Caller } from "../../core/domain/accounts/model.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { jsonType } from "../../core/kernel/network/media-types.ts"
import { basePath, mcpPath } from "../../core/kernel/network/path.ts"
import { inParameter, Problem, problem } from "../../core/kernel/problem.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import type { HttpContext } from "../../core/server/http-context.ts"
import { type InnerRequest, type InnerResponse, innerOrigin } from "../../core/server/inner-requests.ts"
import { isCall, type RpcMessage } from "./message.ts"
import { type OfferedTools, offerTools } from "./offered-tools.ts"
import { type ReceivedMessages, receiveMessages } from "./receive.ts"
import { type ResourceSource, scopeOfResource } from "./resources.ts"
import { acceptedByHandler, type Forms, formsIn, toResponse, writeResponse } from "./respond.ts"
import { respondDirectly } from "./respond-directly.ts"
import { createMcpServer } from "./server.ts"
import { type Choice, type Further, isExisting, mayCall, toolsByName } from "./tools.ts"
import { readToolsets } from "./toolsets.ts"

/** A store whose operations are tools. */
export type ToolStore = {
  http: Pick<HttpContext, "limitAddress" | "sendInner">
  api: Pick<StoreApi, "ports" | "limitAccount" | "admitToTools">
  hasKnownKeys: boolean
  /** Operations besides those of the API, also of a service that says only why it has none of them. */
  further: Further | undefined
}

const none: Further = {}

/** Responds to a message of the Model Context Protocol from an admitted caller. */
export async function serveMessage(exchange: Exchange<Caller>, store: ToolStore): Promise<HttpResponse> {
  const forms = formsIn(exchange.request.headers.accept)
  try {
    return await serve(exchange, store, forms)
  } catch (error) {
    if (error instanceof Problem && error.code === "malformed-json") return parseError(error.detail)
    throw error
  }
}

/** JSON-RPC 2.0 section 5.1. */
const parseError = (message: string): HttpResponse => ({
  status: 400,
  headers: ["content-type", jsonType, "cache-control", "no-store"],
  body: JSON.stringify({ jsonrpc: "2.0", error: { code: -32700, message }, id: null }),
})

async function serve(exchange: Exchange<Caller>, store: ToolStore, forms: Forms): Promise<HttpResponse> {
  const { scopes, credential } = admittedCaller(exchange)
  const choice: Choice = {
    scopes,
    hasFurther: store.hasKnownKeys,
    further: store.further ?? none,
    toolsets: toolsetsIn(exchange),
  }
  const { messages, parsed } = await receiveMessages(exchange, choice.further)
  if (credential.kind === "oauthClient")
    for (const message of messages)
      requireScope(message, choice, resourceMetadataUrl(store.api.ports.publicUrl(), mcpPath))
  const operations = { sent: 0 }
  const source = sourceOf(exchange, operations, store)
  const tools = toolsOf(exchange, choice, source, store)
  const direct = await respondDirectly(parsed, exchange.request.headers, tools)
  const written = direct
    ? writeResponse(direct, forms)
    : await respondByLibrary(exchange, { messages, parsed }, forms, () => createMcpServer(source, tools))
  // A call that is a request of its own is counted there.
  if (operations.sent === 0 && messages.some(isCall)) await store.api.limitAccount(exchange)
  return written
}

async function respondByLibrary(
  exchange: Exchange,
  { messages, parsed }: ReceivedMessages,
  forms: Forms,
  createServer: () => Server,
): Promise<HttpResponse> {
  const response = await createMcpHandler(createServer).fetch(requestOf(exchange), { parsedBody: parsed })
  const isSubscription = messages.some(({ method }) => method === "subscriptions/listen")
  return toResponse(response, forms, isSubscription)
}

/** The request around a message, for the handler, which has the message itself. */
function requestOf({ request, mount }: Exchange): Request {
  const given = { ...request.headers, accept: acceptedByHandler, "content-type": jsonType }
  const headers = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)])
  return new Request(innerOrigin + mount.prefix + mcpPath, { method: "POST", headers })
}

/** Runs operations by requests to this service; notes how many it sends. */
function sourceOf(exchange: Exchange, operations: { sent: number }, { http }: ToolStore): ResourceSource {
  const url = innerOrigin + exchange.mount.prefix
  async function send(address: string, request: InnerRequest): Promise<InnerResponse> {
    operations.sent++
    const response = await http.sendInner(exchange, address, request)
    // The explanation of the call, which the message around it does not have.
    const [described] = /<[^>]*>; rel="describedby"/.exec(response.headers.get("link") ?? "") ?? []
    if (described !== undefined) exchange.header("link", described)
    return response
  }
  return {
    clientOf: (contract) => createClient(contract, { url, fetch: send }),
    readDescription: async () => (await send(`${url}${basePath}/openapi.json`, { method: "GET", headers: {} })).text(),
  }
}

const toolsOf = (exchange: Exchange, choice: Choice, { clientOf }: ResourceSource, { api }: ToolStore): OfferedTools =>
  offerTools(
    clientOf,
    choice,
    (toolset) => `connect to ${mcpPath}?toolsets=${toolset}`,
    (error) => {
      api.ports.log.error({ err: error, requestId: exchange.id }, "a call of a tool failed")
      return `The service did not respond as it should; the id of the request is ${exchange.id}`
    },
  )

/** The toolsets of the query; undefined when it names none. */
function toolsetsIn({ query }: Exchange) {
  const list = query === "" ? null : new URLSearchParams(query).get("toolsets")
  if (list === null) return undefined
  const toolsets = readToolsets(list)
  if ("refusal" in toolsets) throw problem("invalid-parameter", inParameter("toolsets", "unknown", toolsets.refusal))
  return toolsets
}

/**
 * Throws the 403 for a tool or a resource whose scope the access token lacks, so that the client can ask the person for it. A key cannot
 * get more scopes: its caller learns why from the result.
 */
function requireScope(message: RpcMessage, choice: Choice, metadataUrl: string): void {
  const { method, params } = message
  const tool = isCall(message) && toolsByName(choice.further).get(params?.name)
  const wanted = tool && isExisting(tool, choice) ? tool.scope : undefined
  const scope = method === "resources/read" ? scopeOfResource(String(params?.uri)) : wanted
  if (scope !== undefined && !mayCall({ scope }, choice)) throw scopeMissing(scope, metadataUrl)
}

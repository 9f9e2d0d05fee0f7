import { Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import { createMcpHandler } from "@modelcontextprotocol/server"
import type { Logger } from "pino"
import { createClient } from "../../client/client.ts"
import type { Caller } from "../../domain/accounts/model.ts"
import { api } from "../../domain/api.ts"
import { sandbox } from "../../domain/sandbox/contract.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { basePath, mcpPath } from "../../kernel/network/path.ts"
import { inParameter, problem } from "../../kernel/problem.ts"
import { createMcpServer } from "../../mcp/server.ts"
import { allTools, chooseTools } from "../../mcp/tools.ts"
import { readToolsets } from "../../mcp/toolsets.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { InnerRequest } from "../../server/inner-requests.ts"
import { scopeMissing } from "../admission/admission.ts"
import { callerIn } from "../authentication/caller.ts"
import { resourceMetadataUrl } from "../authentication/resource-metadata.ts"

export type ServingParts = {
  http: Pick<HttpContext, "limitAddress" | "sendInner">
  ports: { publicUrl(): string; log: Logger }
  isSandbox: boolean
  version: string
}

/** Responds to a message of the Model Context Protocol from an admitted caller. */
export async function serveMessage(exchange: Exchange, received: Buffer, parts: ServingParts): Promise<HttpResponse> {
  const { http, ports, isSandbox, version } = parts
  const { scopes, credential } = callerIn(exchange) as Caller
  const tools = chooseTools({ scopes, isSandbox, toolsets: toolsetsIn(exchange) })
  if (credential.kind === "oauthClient") requireScope(received, scopes, resourceMetadataUrl(ports.publicUrl(), mcpPath))
  const send = (url: string, request: InnerRequest) => http.sendInner(exchange, url, request)
  const url = `http://${exchange.request.headers.host}${exchange.mount.prefix}`
  const server = () =>
    createMcpServer({
      version,
      tools,
      client: createClient({ ...api, ...sandbox }, { url, fetch: send }),
      readDescription: async () =>
        (await send(`${url}${basePath}/openapi.json`, { method: "GET", headers: {} })).text(),
      explain(error) {
        ports.log.error({ err: error, requestId: exchange.id }, "a call of a tool failed")
        return `The service did not respond as it should; the id of the request is ${exchange.id}`
      },
    })
  const headers = Object.entries(exchange.request.headers).map(([name, value]) => [name, String(value)])
  const request = new Request(url + mcpPath, { method: "POST", headers: headers as [string, string][], body: received })
  const { status, headers: head, body } = await createMcpHandler(server).fetch(request)
  const stream = body && Readable.fromWeb(body as ReadableStream<Uint8Array>)
  return { status, headers: [...[...head].flat(), "cache-control", "no-store"], body: stream ?? undefined }
}

/** The toolsets of the query; undefined when it names none. */
function toolsetsIn({ query }: Exchange) {
  const list = new URLSearchParams(query).get("toolsets")
  if (list === null) return undefined
  const toolsets = readToolsets(list)
  if ("refusal" in toolsets) throw problem("invalid-parameter", inParameter("toolsets", "unknown", toolsets.refusal))
  return toolsets
}

/**
 * Throws the 403 for a call of a tool whose scope the access token lacks, so that the client can ask the person for it. A key cannot get
 * more scopes: its caller learns why from the result of the call.
 */
function requireScope(received: Buffer, scopes: ReadonlySet<string>, metadataUrl: string): void {
  const { method, params } = messageIn(received)
  const name = method === "tools/call" && params?.name
  const scope = allTools().find(({ listed }) => listed.name === name)?.scope
  if (scope === undefined || scope === "open" || scope === "any" || scopes.has(scope)) return
  throw scopeMissing(scope, metadataUrl)
}

type Message = { method?: unknown; params?: { name?: unknown } }

/** The message as far as its form is known; empty when it is not JSON, which the handler refuses. */
function messageIn(received: Buffer): Message {
  try {
    return (JSON.parse(received.toString()) as Message | null) ?? {}
  } catch {
    return {}
  }
}

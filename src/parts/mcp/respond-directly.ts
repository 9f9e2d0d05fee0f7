// Decision: docs/decisions/mcp.md#frequent-messages-do-without-a-server-of-the-library

import type { IncomingHttpHeaders } from "node:http"
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server"
import type { Awaitable } from "../../core/kernel/flow/awaitable.ts"
import type { OfferedTools } from "./offered-tools.ts"
import { serverInfo } from "./server.ts"

/**
 * The response to a frequent message in good form, which is what a server of the library responds; undefined for every other message,
 * about which the library decides.
 */
export async function respondDirectly(
  message: unknown,
  headers: IncomingHttpHeaders,
  tools: OfferedTools,
): Promise<object | undefined> {
  if (!isJSONRPCRequest(message) || isContinuation(message)) return undefined
  const run = runOf(message, tools)
  const finish = run && finishOf(message, headers)
  if (!finish) return undefined
  const { id } = message
  try {
    return { result: finish(await run()), jsonrpc: "2.0", id }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } }
  }
}

/** Whether it continues a request whose server needed more input. */
const isContinuation = ({ params = {} }: JSONRPCRequest): boolean =>
  "inputResponses" in params || "requestState" in params

function runOf(message: JSONRPCRequest, tools: OfferedTools): (() => Awaitable<object>) | undefined {
  if (isSpecType.CallToolRequest(message)) return () => tools.call(message.params)
  if (isSpecType.ListToolsRequest(message)) return tools.list
  return isSpecType.PingRequest(message) ? () => ({}) : undefined
}

const modern = "2026-07-28"
const reserved = "io.modelcontextprotocol/"
const claims = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

/** How a result is completed in the revision of a message; undefined when message and headers do not say it without doubt. */
function finishOf(message: JSONRPCRequest, headers: IncomingHttpHeaders): ((result: object) => object) | undefined {
  const { method, params } = message
  const meta: Readonly<Record<string, unknown>> = params?._meta ?? {}
  const version = headers["mcp-protocol-version"] as string | undefined
  const claimed = Object.keys(meta).filter((name) => name.startsWith(reserved))
  if (claimed.length === 0)
    return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? (result) => result : undefined
  const isAgreed =
    meta[PROTOCOL_VERSION_META_KEY] === modern &&
    version === modern &&
    headers["mcp-method"] === method &&
    (method === "tools/call" ? headers["mcp-name"] === params?.name : method === "tools/list")
  return isAgreed && claimed.every((name) => claims.includes(name)) && isClient(meta)
    ? (result) => ({ ...result, resultType: "complete", ...(method === "tools/list" && uncached), _meta: identity })
    : undefined
}

const isClient = (meta: Readonly<Record<string, unknown>>): boolean =>
  isSpecType.ClientCapabilities(meta[CLIENT_CAPABILITIES_META_KEY]) &&
  (meta[CLIENT_INFO_META_KEY] === undefined || isSpecType.Implementation(meta[CLIENT_INFO_META_KEY]))

const identity = { [SERVER_INFO_META_KEY]: serverInfo }
const uncached = { ttlMs: 0, cacheScope: "private" }

import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { mcpPath } from "../../kernel/network/path.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import { refuseForeignPage } from "../../server/pipeline/foreign-pages.ts"
import { readRequestBody } from "../../server/reading/body.ts"
import type { Admit } from "../admission/admission.ts"
import type { ServingParts } from "./serve-message.ts"

/** The calls of a large import. */
const bodyBytesMax = 4 * 1024 * 1024

type McpParts = ServingParts & {
  /** Its refusals lead to the metadata of this resource. */
  admit: Admit
}

/** Adds the operations of a store as tools for language models: the Model Context Protocol over HTTP, without sessions. */
export function addMcp(router: Router, parts: McpParts): void {
  router.add(["POST"], mcpPath, {
    admission: "operation",
    operation: "mcp",
    isAdministrative: true,
    isChange: true,
    handle: (exchange) => respond(exchange, parts),
  })
}

async function respond(exchange: Exchange, parts: McpParts): Promise<HttpResponse> {
  // The protocol demands it, also where credentials are secret.
  refuseForeignPage(exchange, parts.ports.publicUrl())
  // Calls of tools count against the plan, as requests of their own.
  await parts.admit(exchange, { scope: "any", cost: 0 })
  await parts.http.limitAddress("files", exchange.address)
  const received = await readRequestBody(exchange.request, bodyBytesMax)
  // Loaded with the first request: many services never need it.
  const { serveMessage } = await import("./serve-message.ts")
  return serveMessage(exchange, received, parts)
}

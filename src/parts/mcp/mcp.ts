import type { Caller } from "../../core/domain/accounts/model.ts"
import { once } from "../../core/kernel/flow/once.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { mcpPath } from "../../core/kernel/network/path.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { refuseForeignPage } from "../../core/server/pipeline/foreign-pages.ts"
import type { ToolStore } from "./serve-message.ts"

/** Adds the operations of a store as tools for language models: the Model Context Protocol over HTTP, without sessions. */
export function addMcp(router: Router, store: ToolStore): void {
  router.add(["POST"], mcpPath, {
    admission: "operation",
    operation: "mcp",
    isAdministrative: true,
    isChange: true,
    handle: (exchange: Exchange<Caller>) => respond(exchange, store),
  })
}

/** Loaded with the first message. */
const loadServing = once(async () => {
  const { serveMessage } = await import("./serve-message.ts")
  return serveMessage
})

async function respond(exchange: Exchange<Caller>, store: ToolStore): Promise<HttpResponse> {
  // The protocol demands it, also where credentials are secret.
  refuseForeignPage(exchange, store.api.ports.publicUrl(), { trustsHost: store.hasKnownKeys })
  // Calls of tools count against the plan, as requests of their own.
  await store.api.admitToTools(exchange, { scope: "any", cost: 0 })
  await store.http.limitAddress("files", exchange.address)
  const serveMessage = await loadServing()
  return serveMessage(exchange, store)
}

import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Router } from "../pipeline/router.ts"

type ReadMetrics = () => Promise<{ type: string; text: string }>

/** `/metrics` beside everything else, where everybody who reaches the service may know all of it. */
export function addMetrics(router: Router, read: ReadMetrics): void {
  router.add(["GET"], "/metrics", { admission: "files", handle: () => respond(read) })
}

async function respond(read: ReadMetrics): Promise<HttpResponse> {
  const { type, text } = await read()
  return { status: 200, headers: ["content-type", type, "cache-control", "no-store"], body: text }
}

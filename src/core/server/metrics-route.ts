import type { Router } from "./exchange/router.ts"

/** Serves `/metrics` to every client, for services whose data is public. */
export function addMetrics(router: Router, read: () => Promise<{ type: string; text: string }>): void {
  router.add(["GET"], "/metrics", {
    admission: "files",
    async handle() {
      const { type, text } = await read()
      return { status: 200, headers: ["content-type", type, "cache-control", "no-store"], body: text }
    },
  })
}

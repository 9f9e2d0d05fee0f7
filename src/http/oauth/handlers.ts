import type { Route } from "../pipeline/exchange.ts"

/** What a page does for a GET, and for its form. */
export type Handlers = { GET: Route["handle"]; POST: Route["handle"] }

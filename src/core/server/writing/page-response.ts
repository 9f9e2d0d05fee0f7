import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../exchange/exchange.ts"

/** A page that pages of other origins may not read. */
export function privatePage(exchange: Exchange, page: HttpResponse): HttpResponse {
  exchange.isReadableAnywhere = false
  return page
}

/** Redirects after a form was sent. */
export const redirect = (url: string): HttpResponse => ({
  status: 303,
  headers: ["location", url, "cache-control", "no-store"],
  body: undefined,
})

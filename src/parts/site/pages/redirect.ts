import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"

/** 308 (RFC 9110 section 15.4.9) to an address relative to the one requested. */
export const redirectPermanently = (location: string): HttpResponse => ({
  status: 308,
  headers: ["location", location],
  body: undefined,
})

import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"

/** The recorded request that a page is about. */
export async function findRequest(visit: Visit) {
  const id = Number(visit.params.requestId)
  const { getRequest } = await visit.sandbox(visit.params.name)
  if (!Number.isSafeInteger(id) || id < 1) throw new Problem("request-not-found", "A recorded request has a number")
  return (await getRequest({ params: { id } })).value
}

/** Headers that belong to the connection (RFC 9110, section 7.6.1), or that a client sends itself. */
const notRepeated =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-length|accept-encoding|user-agent|sec-.*|petstore-sandbox)$/

/** Whether requests with this method change nothing (RFC 9110, section 9.2.1). */
export const isSafe = (method: string): boolean => ["GET", "HEAD", "OPTIONS"].includes(method)

export const isCredential = (header: string): boolean => header === "api_key" || header === "authorization"

/** The headers that a repetition has too, without the credential, which is not recorded. */
export const repeatedHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).filter(([header]) => !notRepeated.test(header) && !isCredential(header))

import { Problem } from "../../../core/kernel/problem.ts"
import type { Visit } from "../../console/pages/page.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { inSandbox } from "./sandbox-home.ts"

/** The recorded request that a page is about. */
export async function findRequest(visit: Visit) {
  const id = Number(visit.params.requestId)
  const { getRequest } = await inSandbox(visit)
  if (!Number.isSafeInteger(id) || id < 1) throw new Problem("request-not-found", "A recorded request has a number")
  return (await getRequest({ params: { id } })).value
}

/** Headers that belong to the connection (RFC 9110, section 7.6.1), or that a client sends itself. */
const notRepeated =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-length|accept-encoding|user-agent|sec-.*|petstore-sandbox)$/

/** Whether requests with this method change nothing (RFC 9110, section 9.2.1). */
export const isSafe = (method: string): boolean => ["GET", "HEAD", "OPTIONS"].includes(method)

/** Why a repetition would be another request: its body is not recorded as it was sent; undefined where it is. */
export function missingBody({
  request: { headers, body, isTruncated, bodyNotRead },
}: RecordedRequest): string | undefined {
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  if (bodyNotRead) return "its body was not read"
  if (isTruncated) return "only the beginning of its body is recorded"
  if (body === undefined) return hasBody ? "its body is not recorded" : undefined
  if (body === "***") return "its body is left out, because it may have a secret"
  return body.includes("\ufffd") ? "its body is not text" : undefined
}

export const isCredential = (header: string): boolean => header === "api_key" || header === "authorization"

/** The headers that a repetition has too, without the credential, which is not recorded. */
export const repeatedHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).filter(([header]) => !notRepeated.test(header) && !isCredential(header))

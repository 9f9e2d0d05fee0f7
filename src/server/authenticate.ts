import type { IncomingHttpHeaders } from "node:http"
import type { Caller } from "../domain/accounts/contract.ts"
import type { Store } from "../domain/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { Problem } from "../kernel/problem.ts"
import { callerOfToken } from "./access-token.ts"
import { callerOfKey } from "./api-key.ts"

/** RFC 6750 section 3 for tokens; the key's challenge names the header it goes into. */
export const challenges = ['Bearer realm="petstore"', 'ApiKey realm="petstore", in="header", name="api_key"']

/**
 * Who is calling. A request may carry an API key, an access token, or both; then both must hold and the token decides.
 * Throws the 401 when it has neither or one that does not hold.
 */
export async function authenticate(store: Store, clock: Clock, headers: IncomingHttpHeaders): Promise<Caller> {
  const { authorization, api_key: secret } = headers
  const byKey = typeof secret === "string" && secret !== "" ? await callerOfKey(store, clock, secret) : undefined
  const byToken = authorization !== undefined ? await callerOfToken(authorization) : undefined
  const caller = byToken ?? byKey
  if (caller) return caller
  throw new Problem(
    "unauthorized",
    "Send an API key in the header api_key, or an access token in Authorization: Bearer …",
  )
}

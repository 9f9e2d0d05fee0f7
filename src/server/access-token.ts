import type { Caller } from "../domain/accounts/contract.ts"
import { Problem } from "../kernel/problem.ts"

/** Who the access token in `Authorization: Bearer …` (RFC 6750) stands for; nobody issues one yet. */
export async function callerOfToken(_authorization: string): Promise<Caller> {
  throw new Problem("unauthorized", "The access token is unknown, expired or revoked")
}

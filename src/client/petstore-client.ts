import type { Api } from "../domain/api.ts"
import type { accessProblems } from "../domain/problems/access.ts"
import type { requestProblems } from "../domain/problems/request.ts"
import type { serviceProblems } from "../domain/problems/service.ts"
import { basePath } from "../kernel/network/path.ts"
import { type Client, type ClientOptions, createClient, Refused } from "./client.ts"
import { routes } from "./routes.ts"

export type PetstoreClientOptions = {
  /** Where the service is, such as `https://petstore.example`; with or without `/api/v3`. */
  url: string
  /** Sent as `api_key`. */
  apiKey?: string
  /** An access token, or what gets one for each call. */
  token?: string | (() => string | Promise<string>)
  /** How often a call that may be repeated is, after failures that may pass; 2 unless told. */
  retries?: number
  /** How long one attempt may take; 30 s unless told. */
  timeoutMs?: number
  /** In place of the global `fetch`. */
  fetch?: NonNullable<ClientOptions["fetch"]>
}

/** The client of a Petstore: a method for every operation, named as in its description. */
export type PetstoreClient = Client<Api>

/** The name of an operation. */
export type Operation = keyof Api & string

/** The problems an operation may be refused with: its own, and those any request may meet. */
export type RefusalCode<Name extends Operation> =
  | Api[Name]["problems"][number]
  | keyof typeof requestProblems
  | keyof typeof accessProblems
  | keyof typeof serviceProblems
  | "idempotency-key-in-use"
  | "unknown"

/** Makes a client that repeats what may be repeated: idempotent methods, and creations under an idempotency key of its own. */
export function createPetstoreClient(options: PetstoreClientOptions): PetstoreClient {
  const { url, retries = 2, timeoutMs = 30_000, fetch } = options
  return createClient<Api>(routes, {
    url: rootOf(url),
    headers: () => credentialHeaders(options),
    retries,
    timeoutMs,
    ...(fetch && { fetch }),
  })
}

/** What sends the credentials of a client. */
export async function credentialHeaders({ apiKey, token }: Pick<PetstoreClientOptions, "apiKey" | "token">) {
  return {
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(token !== undefined && { authorization: `Bearer ${typeof token === "function" ? await token() : token}` }),
  }
}

/** The address of a service without the base path. */
export function rootOf(url: string): string {
  const root = new URL(url).href.replace(/\/+$/, "")
  return root.endsWith(basePath) ? root.slice(0, -basePath.length) : root
}

/** Whether this operation was refused, so that the compiler knows which codes there are. */
export const isRefused = <Name extends Operation>(
  error: unknown,
  operation: Name,
): error is Refused<RefusalCode<Name>> => error instanceof Refused && error.operation === operation

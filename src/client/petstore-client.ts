import type { ApiContract } from "../core/domain/api.ts"
import type { accessProblems } from "../core/domain/problems/access.ts"
import type { requestProblems } from "../core/domain/problems/request.ts"
import type { serviceProblems } from "../core/domain/problems/service.ts"
import { basePath } from "../core/kernel/network/path.ts"
import { type ClientOptions, createClient, Refused } from "./client.ts"
import type { AccessOperations } from "./operations/access.ts"
import type { OauthOperations } from "./operations/oauth.ts"
import type { PetOperations } from "./operations/pet.ts"
import type { StoreOperations } from "./operations/store.ts"
import type { UserOperations } from "./operations/user.ts"
import type { WebhooksOperations } from "./operations/webhooks.ts"
import { routes } from "./routes.ts"

export type PetstoreClientOptions = {
  /** URL of the service, such as `https://petstore.example`; with or without `/api/v3`. */
  url: string
  /** Sent as `api_key`. */
  apiKey?: string
  /** An access token, or a function that returns one for each call. */
  token?: string | (() => string | Promise<string>)
  /** Retries of repeatable calls after temporary failures; 2 by default. */
  retries?: number
  /** Timeout of one attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number
  /** Replaces the global `fetch`. */
  fetch?: NonNullable<ClientOptions["fetch"]>
}

/** The client of a Petstore: one method per operation, named by its operationId. */
export interface PetstoreClient
  extends PetOperations,
    StoreOperations,
    UserOperations,
    WebhooksOperations,
    OauthOperations,
    AccessOperations {}

/** An operationId. */
export type Operation = keyof ApiContract & string

/** The problems of an operation: its own and those of any request. */
export type RefusalCode<Name extends Operation> =
  | ApiContract[Name]["problems"][number]
  | keyof typeof requestProblems
  | keyof typeof accessProblems
  | keyof typeof serviceProblems
  | "idempotency-key-in-use"
  | "unknown"

/** Makes a client that retries idempotent methods, and creations with an idempotency key that it generates. */
export function createPetstoreClient(options: PetstoreClientOptions): PetstoreClient {
  const { url, retries = 2, timeoutMs = 30_000, fetch } = options
  return createClient<ApiContract>(routes, {
    url: serviceRootOf(url),
    headers: () => credentialHeaders(options),
    retries,
    timeoutMs,
    ...(fetch && { fetch }),
  })
}

/** The headers with a client's credentials. */
export async function credentialHeaders({ apiKey, token }: Pick<PetstoreClientOptions, "apiKey" | "token">) {
  return {
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(token !== undefined && { authorization: `Bearer ${typeof token === "function" ? await token() : token}` }),
  }
}

/** The URL of a service without the base path. */
export function serviceRootOf(url: string): string {
  const root = new URL(url).href.replace(/\/+$/, "")
  return root.endsWith(basePath) ? root.slice(0, -basePath.length) : root
}

/** Whether this operation was refused; narrows the codes of the error. */
export const isRefused = <Name extends Operation>(
  error: unknown,
  operation: Name,
): error is Refused<RefusalCode<Name>> => error instanceof Refused && error.operation === operation

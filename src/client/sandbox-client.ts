import type { sandbox } from "../domain/sandbox/contract.ts"
import { sandboxPath } from "../kernel/network/path.ts"
import { type Client, createClient } from "./client.ts"
import { credentialHeaders, type PetstoreClientOptions, serviceRootOf } from "./petstore-client.ts"
import { sandboxRoutes } from "./sandbox-routes.ts"

export type SandboxClientOptions = Pick<PetstoreClientOptions, "url" | "fetch"> & {
  /** A named sandbox, which the first request creates; by default the sandbox that `url` is of. */
  name?: string
  /** A key with the scope `admin`; `special-key` by default. */
  apiKey?: string
}

/** The operations that only sandboxes have, one method each, and the URL of the sandbox for its other clients. */
export type SandboxClient = Client<typeof sandbox> & { url: string }

/** Longer than an advance of the clock takes, in milliseconds. */
const timeoutMs = 60_000

/** Makes a client that sets up a sandbox for a test, and reads what happened in it. */
export function createSandboxClient({ name, apiKey = "special-key", ...given }: SandboxClientOptions): SandboxClient {
  const url = serviceRootOf(given.url) + (name === undefined ? "" : sandboxPath(name))
  const headers = () => credentialHeaders({ apiKey })
  const { fetch } = given
  return { url, ...createClient<typeof sandbox>(sandboxRoutes, { url, headers, timeoutMs, ...(fetch && { fetch }) }) }
}

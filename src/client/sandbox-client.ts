import type { sandbox } from "../domain/sandbox/contract.ts"
import type { RecordedRequest, RequestFilter } from "../domain/sandbox/requests/contract.ts"
import { sandboxPath } from "../kernel/network/path.ts"
import { type Client, createClient } from "./client.ts"
import { allPages } from "./pages.ts"
import { credentialHeaders, type PetstoreClientOptions, serviceRootOf } from "./petstore-client.ts"
import { sandboxRoutes } from "./sandbox-routes.ts"

export type SandboxClientOptions = Pick<PetstoreClientOptions, "url" | "fetch"> & {
  /** A named sandbox, which the first request creates; by default the sandbox that `url` is of. */
  name?: string
  /** A key with the scope `admin`; `special-key` by default. */
  apiKey?: string
}

/** The operations that only sandboxes have, one method each. */
export type SandboxClient = Client<typeof sandbox> & {
  /** The URL of the sandbox, for its other clients. */
  url: string
  /** The recorded requests to the sandbox, oldest first. */
  requests(sought?: RequestFilter & { since?: string }): Promise<RecordedRequest[]>
}

/** Longer than an advance of the clock takes, in milliseconds. */
const timeoutMs = 60_000

/** Makes a client that sets up a sandbox for a test, and reads what happened in it. */
export function createSandboxClient({ name, apiKey = "special-key", ...options }: SandboxClientOptions): SandboxClient {
  const url = serviceRootOf(options.url) + (name === undefined ? "" : sandboxPath(name))
  const headers = () => credentialHeaders({ apiKey })
  const { fetch } = options
  const client = createClient<typeof sandbox>(sandboxRoutes, { url, headers, timeoutMs, ...(fetch && { fetch }) })
  return {
    ...client,
    url,
    async requests(sought) {
      const found: RecordedRequest[] = []
      for await (const page of allPages(client.listRequests, { query: { ...sought, limit: 1000 } })) found.push(...page)
      return found.reverse()
    },
  }
}

import { type Client, createClient, Refused } from "../../../client/client.ts"
import { allPages } from "../../../client/pages.ts"
import { credentialHeaders, type PetstoreClientOptions, serviceRootOf } from "../../../client/petstore-client.ts"
import type { sandbox } from "../contract.ts"
import type { SandboxDiff } from "../diff/contract.ts"
import type { HeldRequest } from "../holds/contract.ts"
import type { RecordedRequest, RequestExpectation } from "../journal/contract.ts"
import type { RequestMatcher } from "../matching/contract.ts"
import { sandboxPath } from "../named/path.ts"
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
  /** The recorded requests to the sandbox, oldest first; `grouped` are the latest of each group of `attempts`. */
  requests(sought?: RequestMatcher & { since?: string; grouped?: boolean }): Promise<RecordedRequest[]>
  /** Rejects with an error that says what was expected, what was found, and which requests came nearest; resolves with their number. */
  verify(expected: RequestExpectation): Promise<number>
  /** What a named sandbox has other than another one, by default than what it started from; at most 1,000 changes. */
  diff(other?: string): Promise<SandboxDiff>
  /** The requests that are held, longest first. With `within` it waits until `atLeast` (1) are; rejects when they are not in this time. */
  holds(wanted?: { within?: string; atLeast?: number }): Promise<HeldRequest[]>
  /** Lets a held request continue. */
  release(id: number): Promise<void>
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
    async requests({ grouped = false, ...sought } = {}) {
      const found: RecordedRequest[] = []
      const query = { ...sought, ...(grouped && { group: "attempts" as const }), limit: 1000 }
      for await (const page of allPages(client.listRequests, { query })) found.push(...page)
      return found.reverse()
    },
    async diff(other) {
      const own = /\/s\/([^/]+)$/.exec(url)?.[1]
      if (own === undefined) throw new TypeError("Only a named sandbox can be compared")
      const query = { limit: 1000, ...(other !== undefined && { with: other }) }
      return (await client.diffSandbox({ params: { name: own }, query })).value
    },
    async holds({ within, atLeast = 1 } = {}) {
      const query = within === undefined ? {} : { within, atLeast }
      const { value } = await client.listHolds({ query })
      if (within === undefined || value.length >= atLeast) return value
      const held = value.map(({ id, method, path, where }) => `  #${id} ${method} ${path} ${where}`)
      throw new Error(
        [`Expected at least ${atLeast} held within ${within}, found ${value.length}.`, ...held].join("\n"),
      )
    },
    async release(id) {
      await client.releaseHold({ params: { id } })
    },
    async verify(body) {
      try {
        return (await client.verifyRequests({ body })).value.count
      } catch (error) {
        throw error instanceof Refused && error.code === "requests-unexpected" ? unexpected(error, body) : error
      }
    },
  }
}

type Near = Pick<RecordedRequest, "id" | "method" | "path" | "status"> & { differs: string[] }

/** An error whose message a test shows as it is. */
function unexpected({ problem }: Refused, expected: RequestExpectation): Error {
  const { nearest = [] } = problem as { nearest?: Near[] }
  const lines = nearest.map(({ id, method, path, status = "no response", differs }) => {
    const difference = differs.length > 0 ? `, differs in ${differs.join(", ")}` : ""
    return `  #${id} ${method} ${path} ${status}${difference}`
  })
  const found = lines.length > 0 ? ["Nearest:", ...lines] : ["No other requests are recorded."]
  return new Error([problem.detail, `Wanted: ${JSON.stringify(expected)}`, ...found].join("\n"))
}

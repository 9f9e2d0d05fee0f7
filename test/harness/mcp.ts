import {
  Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client"

type Revision = "modern" | "legacy"

/** The SDK's own client, connected to `/mcp` of a service. */
export async function connectTools(
  url: string,
  options: StreamableHTTPClientTransportOptions,
  revision: Revision = "modern",
) {
  const pin = { versionNegotiation: { mode: { pin: "2026-07-28" } } }
  const client = new Client({ name: "test", version: "1" }, revision === "modern" ? pin : {})
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options))
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

export const withKey = (key: string): StreamableHTTPClientTransportOptions => ({
  requestInit: { headers: { api_key: key } },
})

type Result = { isError?: boolean | undefined; content: { type: string; text?: string }[]; structuredContent?: unknown }

export const textOf = (result: unknown): string => (result as Result).content.map(({ text }) => text).join("\n")

export const isError = (result: unknown): boolean => (result as Result).isError === true

/** The structured content of a successful call. */
export function contentOf<T = Record<string, unknown>>(result: unknown): T {
  if (isError(result)) throw new Error(textOf(result))
  return (result as Result).structuredContent as T
}

import type { CallOptions, ClientResponse } from "./client.ts"

type Paged = { query?: { cursor?: string } }
type PagedCall<Given, Item> = (input?: Given, options?: CallOptions) => Promise<ClientResponse<Item[]>>

/** Follows `Link: rel="next"` (RFC 8288) from the first page to the last. Rejects when a page leads to itself. */
export async function* allPages<Given extends Paged, Item>(
  call: PagedCall<Given, Item>,
  request: NoInfer<Given>,
  options?: CallOptions,
): AsyncGenerator<Item[]> {
  let cursor = request.query?.cursor
  do {
    const query = { ...request.query, ...(cursor !== undefined && { cursor }) }
    const { value, headers } = await call({ ...request, query }, options)
    yield value
    const next = nextCursor(headers)
    if (next !== undefined && next === cursor) throw new Error("The list has no end")
    cursor = next
  } while (cursor !== undefined)
}

/** Yields every item of every page; fetches a page when it is reached. */
export async function* allItems<Given extends Paged, Item>(
  call: PagedCall<Given, Item>,
  request: NoInfer<Given> = {} as Given,
  options?: CallOptions,
): AsyncGenerator<Item, void> {
  for await (const page of allPages(call, request, options)) yield* page
}

/** The cursor of the next page; undefined on the last one. */
export function nextCursor(headers: Headers): string | undefined {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("link") ?? "") ?? []
  return address === undefined ? undefined : (new URL(address, "http://any").searchParams.get("cursor") ?? undefined)
}

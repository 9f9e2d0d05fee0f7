import type { ClientResponse } from "./client.ts"

type Paged = { query?: { cursor?: string } }

/** Follows `Link: rel="next"` (RFC 8288) from the first page to the last. */
export async function* allPages<Given extends Paged, Item>(
  call: (request?: Given) => Promise<ClientResponse<Item[]>>,
  request: NoInfer<Given>,
): AsyncGenerator<Item[]> {
  let cursor = request.query?.cursor
  do {
    const query = { ...request.query, ...(cursor !== undefined && { cursor }) }
    const { value, headers } = await call({ ...request, query })
    yield value
    cursor = nextCursor(headers)
  } while (cursor !== undefined)
}

/** Yields every item of every page; fetches a page when it is reached. */
export async function* allItems<Given extends Paged, Item>(
  call: (request?: Given) => Promise<ClientResponse<Item[]>>,
  request: NoInfer<Given> = {} as Given,
): AsyncGenerator<Item, void> {
  for await (const page of allPages(call, request)) yield* page
}

/** The cursor of the next page; undefined on the last one. */
export function nextCursor(headers: Headers): string | undefined {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("link") ?? "") ?? []
  return address === undefined ? undefined : (new URL(address, "http://any").searchParams.get("cursor") ?? undefined)
}

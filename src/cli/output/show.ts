import type { ClientResponse } from "../../client/client.ts"
import { nextCursor } from "../../client/pages.ts"
import type { World } from "../command/command.ts"
import { createRows, type Listing } from "./listing.ts"
import { formatRecord } from "./table.ts"

type Output = Pick<World, "terminal" | "json">

/** Prints a response: unchanged JSON with `json`, otherwise rows or a record. */
export async function show(
  { value, text, status, headers }: ClientResponse<unknown>,
  world: Output,
  listing: Listing,
): Promise<void> {
  const { terminal, json } = world
  if (status === 304) terminal.err("Not modified since that ETag.\n")
  else if (json) terminal.out(`${text}\n`)
  else if (Array.isArray(value)) await showPages([value], world, listing)
  else if (typeof value === "object" && value !== null)
    terminal.out(formatRecord({ ...value, ...etagOf(headers) }, terminal))
  else terminal.out(`${value}\n`)

  const total = headers.get("total-count")
  const isExact = headers.get("preference-applied")?.includes("count=exact")
  if (total !== null) terminal.err(`${isExact ? "" : "At least "}${total} on all pages.\n`)
  const more = nextCursor(headers)
  if (more !== undefined) terminal.err(`There are more: use --all, or --cursor ${more}\n`)
}

/** Prints pages as they arrive: one JSON value per line with `json`, otherwise a table or CSV. */
export async function showPages(
  pages: AsyncIterable<unknown[]> | [unknown[]],
  world: Output,
  listing: Listing,
): Promise<void> {
  const { terminal, json } = world
  const toRows = createRows(listing, world)
  let count = 0
  for await (const items of pages) {
    const isFirst = count === 0
    count += items.length
    if (json) terminal.out(items.map((item) => `${JSON.stringify(item)}\n`).join(""))
    else if (items.length > 0 || (isFirst && listing.isCsv)) terminal.out(toRows(items))
  }
  if (count === 0 && !json) terminal.err("No results.\n")
}

const etagOf = (headers: Headers): object => (headers.has("etag") ? { ETag: headers.get("etag") } : {})

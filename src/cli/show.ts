import type { ClientResponse } from "../client/client.ts"
import { nextCursor } from "../client/pages.ts"
import type { World } from "./command.ts"
import { createTable, formatRecord } from "./table.ts"

/** Writes a response: unchanged JSON with `json`, otherwise a table or a record. */
export function show({ value, text, status, headers }: ClientResponse<unknown>, { terminal, json }: World): void {
  if (status === 304) terminal.err("Not modified since that ETag.\n")
  else if (json) terminal.out(`${text}\n`)
  else if (Array.isArray(value)) showItems(value, terminal.out, terminal.err)
  else if (typeof value === "object" && value !== null) terminal.out(formatRecord({ ...value, ...etagOf(headers) }))
  else terminal.out(`${value}\n`)

  const more = nextCursor(headers)
  if (more !== undefined) terminal.err(`There is more: add --all, or --cursor ${more}\n`)
}

/** Writes pages as they arrive: one JSON value per line with `json`, otherwise one table. */
export async function showPages(pages: AsyncIterable<unknown[]>, { terminal, json }: World): Promise<void> {
  const tabulate = createTable()
  let count = 0
  for await (const items of pages) {
    count += items.length
    if (items.length > 0)
      terminal.out(json ? items.map((item) => `${JSON.stringify(item)}\n`).join("") : tabulate(items))
  }
  if (count === 0 && !json) terminal.err(nothing)
}

const nothing = "There are none.\n"

const etagOf = (headers: Headers): object => (headers.has("etag") ? { ETag: headers.get("etag") } : {})

const showItems = (items: unknown[], out: (text: string) => void, err: (text: string) => void): void =>
  items.length > 0 ? out(createTable()(items)) : err(nothing)

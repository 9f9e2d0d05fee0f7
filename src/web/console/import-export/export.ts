import { setImmediate } from "node:timers/promises"
import { pageLimitMax } from "../../../kernel/page.ts"
import { type PetFormat, petFormats } from "../../../pet-files/formats.ts"
import { html } from "../../html.ts"
import { heading } from "../../parts/heading.ts"
import { searchForm } from "../../parts/search-form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { petFilterNames, petFilters } from "../pets/pet-filters.ts"

export const exportPage: ConsolePage = {
  path: "/pets/export",
  title: "Export pets",
  scope: "read:pets",
  show: async (visit) => html`${heading(visit, { title: "Export pets" })}
<p>Exports all pets, or those that match the filters, in a format that the import reads. Pets that change during the export are written in
their state at the time they are read.</p>
${searchForm(visit, controls, { button: "Download" })}`,
  async download(visit) {
    const name = visit.query.get("format")
    if (name === null) return undefined
    const format = name === "ndjson" ? petFormats.ndjson : petFormats.csv
    await visit.startDownload()
    // An invalid search is reported as a page, before the download starts.
    const first = await pageOf(visit, undefined)
    return { name: `pets.${format.extension}`, type: format.type, text: write(visit, first, format) }
  },
}

const controls = [
  { kind: "choice", name: "format", label: "Format", choices: { ndjson: "NDJSON" }, none: "CSV" },
  ...petFilters,
] as const

/** In order of id; a search by name requires the order by name. */
function pageOf({ call, query }: Visit, cursor: string | undefined) {
  const filters = Object.fromEntries(
    petFilterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  )
  const sort = query.get("name") ? "name" : "id"
  return call.listPets({ query: { ...filters, sort, limit: pageLimitMax, ...(cursor !== undefined && { cursor }) } })
}

type PageOfPets = Awaited<ReturnType<typeof pageOf>>

/** Characters per write: the memory held for a slow client, in addition to one page. */
const pieceLength = 64 * 1024

/** Reads and writes page by page, as fast as the client reads, and lets other requests proceed in between. */
async function* write(visit: Visit, first: PageOfPets, format: PetFormat): AsyncGenerator<string> {
  let piece = format.head
  for (let page = first; ; ) {
    for (const pet of page.value) {
      piece += format.write(pet)
      if (piece.length < pieceLength) continue
      yield piece
      piece = ""
    }
    if (page.next === undefined) break
    // The plan's limit may delay the next page.
    yield piece
    piece = ""
    await setImmediate()
    await visit.countPage()
    page = await pageOf(visit, page.next)
  }
  yield piece
}

import { setImmediate } from "node:timers/promises"
import type { PetRecord } from "../../../../core/domain/pets/records/contract.ts"
import { pageLimitMax } from "../../../../core/kernel/endpoint/page.ts"
import { Problem, type Violation } from "../../../../core/kernel/problem.ts"
import { type PetFormat, petFormats } from "../../../../pet-files/formats.ts"
import { html } from "../../../site/pages/html.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { searchForm } from "../../../site/pages/parts/search-form.ts"
import type { Called } from "../../../site/serving/call.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { petFilterNames, petFilters } from "../pets/pet-filters.ts"

export const exportPage: ConsolePage = {
  path: "/pets/export",
  title: "Export pets",
  scope: "read:pets",
  async show(visit) {
    const violations = visit.query.has("format") ? await violationsOf(visit) : []
    return html`${heading(visit, { title: "Export pets" })}
<p>Exports all pets, or those that match the filters, in a format that the import reads. Pets that change during the export are written in
their state at the time they are read.</p>
${searchForm(visit, controls, { button: "Download", violations })}`
  },
  async download(visit) {
    const name = visit.query.get("format")
    if (name === null || (await violationsOf(visit)).length > 0) return undefined
    const format = name === "ndjson" ? petFormats.ndjson : petFormats.csv
    await visit.startDownload()
    const first = await pageOf(visit)
    return { name: `pets.${format.extension}`, type: format.type, text: write(visit, first, format) }
  },
}

const controls = [
  { kind: "choice", name: "format", label: "Format", choices: { ndjson: "NDJSON" }, none: "CSV" },
  ...petFilters,
] as const

/** Why the search is rejected; the page shows it beside the fields, and nothing is downloaded. */
async function violationsOf(visit: Visit): Promise<readonly Violation[]> {
  try {
    await pageOf(visit, { limit: 1 })
    return []
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid-parameter") return error.violations
    throw error
  }
}

type Part = { cursor?: string; limit?: number }

/** In order of id; a search by name requires the order by name. */
function pageOf({ call, query }: Visit, { cursor, limit = pageLimitMax }: Part = {}): Promise<PageOfPets> {
  const filters = Object.fromEntries(
    petFilterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  )
  const sort = query.get("name") ? "name" : "id"
  return call.listPetRecords({ query: { ...filters, sort, limit, ...(cursor !== undefined && { cursor }) } })
}

type PageOfPets = Called<PetRecord[]>

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
    page = await pageOf(visit, { cursor: page.next })
  }
  yield piece
}

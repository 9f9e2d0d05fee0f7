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
<p>All pets, or those that are like this, as the import takes them. What changes meanwhile is written as it is when its turn comes.</p>
${searchForm(visit, controls, "Download")}`,
  async download(visit) {
    const asked = visit.query.get("format")
    if (asked === null) return undefined
    const format = asked === "ndjson" ? petFormats.ndjson : petFormats.csv
    await visit.startDownload()
    // What cannot be searched for is said on a page, before the file begins.
    const first = await pageOf(visit, undefined)
    return { name: `pets.${format.extension}`, type: format.type, text: write(visit, first, format) }
  },
}

const controls = [
  { kind: "choice", name: "format", label: "As", choices: { ndjson: "NDJSON" }, none: "CSV" },
  ...petFilters,
] as const

/** In order of id, where the service can; with the beginning of a name, in order of name. */
function pageOf({ call, query }: Visit, cursor: string | undefined) {
  const asked = Object.fromEntries(petFilterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])))
  const sort = query.get("name") ? "name" : "id"
  return call.listPets({ query: { ...asked, sort, limit: pageLimitMax, ...(cursor !== undefined && { cursor }) } })
}

type PageOfPets = Awaited<ReturnType<typeof pageOf>>

/** Characters that are sent at once: so much more than one page is held for a client that does not read. */
const pieceLength = 64 * 1024

/** One page of the list after the other: nothing is read before there is room for it, and other requests have their turn. */
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
    // The plan may let the next page wait.
    yield piece
    piece = ""
    await setImmediate()
    await visit.countPage()
    page = await pageOf(visit, page.next)
  }
  yield piece
}

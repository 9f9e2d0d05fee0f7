import { createReadStream, type ReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { Type } from "../../../../core/kernel/schema/type.ts"
import type { PetFile } from "../../../../pet-files/pet-file.ts"
import { readPetFile } from "../../../../pet-files/read-pet-file.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import type { Action, ConsolePage, Visit } from "../page.ts"
import { importForm } from "./import-form.ts"
import { importOutcome, importStep } from "./import-result.ts"
import { addEach, check, type Progress, takePets } from "./import-run.ts"
import { type MappingFields, readMapping } from "./mapping.ts"

const mebibyte = 1024 * 1024
/** Small reads, so that other requests do not wait. */
const chunkBytes = 16 * 1024
const linesMax = 200_000

const Mapping = Type.Optional(Type.String({ maxLength: 20_000 }))
const Checked = Type.Optional(Type.String({ maxLength: 8 }))
const shape = {
  types: ["text/csv", "application/x-ndjson", "application/json"],
  bytesMax: 32 * mebibyte,
  fields: Type.Object({ newIds: Checked, again: Checked, map: Mapping, columns: Mapping }),
}

export const importPage: ConsolePage = {
  path: "/pets/import",
  title: "Import pets",
  scope: "write:pets",
  takesFile: true,
  show: async (visit) => html`${intro(visit)}<div id="result"></div>${importForm(visit)}`,
  actions: { preview: importing(true), import: importing(false) },
}

const intro = (visit: Visit): Markup => html`${heading(visit, { title: "Import pets" })}
<p>Supported formats: NDJSON with one JSON object per line, a JSON array, or CSV with column names in the first line. Pets imported again
within a day are not duplicated: to continue an interrupted import, import the file again.</p>`

function importing(isPreview: boolean): Action {
  return async (visit) => {
    const incoming = visit.receive(shape)
    let bytes: ReadStream | undefined
    const release = async () => {
      bytes?.destroy()
      await incoming[Symbol.asyncDispose]()
    }
    try {
      const { file, fields } = await incoming.receive()
      const { again, newIds, ...mapping } = fields as MappingFields & { again?: string; newIds?: string }
      const way = { isAgain: again === "yes", hasNewIds: newIds === "yes" }
      const options = { newIds: way.hasNewIds, ...readMapping(mapping) }
      const taking = isPreview ? check : { take: addEach(visit.call, way), countPage: visit.countPage }
      const { size } = await stat(file)
      bytes = createReadStream(file, { highWaterMark: chunkBytes })
      const { columns, lines } = await readPetFile(bytes, linesMax, options)
      return { pieces: report(visit, takePets(lines, taking), { bytes, size, isPreview, columns, mapping }), release }
    } catch (error) {
      await release()
      throw error
    }
  }
}

type FileProgress = Pick<PetFile, "columns"> & {
  bytes: ReadStream
  size: number
  isPreview: boolean
  mapping: MappingFields
}

async function* report(
  visit: Visit,
  steps: AsyncIterable<Progress>,
  { bytes, size, isPreview, columns, mapping }: FileProgress,
) {
  yield html`${intro(visit)}<div id="result">`
  let reportedPercent = -1
  let last: Progress | undefined
  try {
    for await (const progress of steps) {
      last = progress
      const percent = Math.floor((bytes.bytesRead / size) * 100)
      if (percent === reportedPercent) continue
      reportedPercent = percent
      yield importStep(percent, progress)
    }
  } catch (error) {
    // Show what was imported before the error.
    yield html`${last && importOutcome(isPreview, columns, last)}`
    throw error
  }
  yield html`${last && importOutcome(isPreview, columns, last)}</div>${importForm(visit, mapping)}`
}

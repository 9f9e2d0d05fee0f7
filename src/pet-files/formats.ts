import type { PetRecord } from "../core/domain/pets/records/contract.ts"
import { csvLine, exportColumns, petToCsv } from "./csv-columns.ts"

/** A file format of pets: head, separator and tail around them. */
export type PetFormat = {
  extension: string
  type: string
  head: string
  separator: string
  tail: string
  write(pet: PetRecord): string
}

/** The formats of exports and imports. The byte order mark tells spreadsheets that CSV is UTF-8. */
export const petFormats = {
  ndjson: {
    extension: "ndjson",
    type: "application/x-ndjson",
    head: "",
    separator: "",
    tail: "",
    write: (pet) => `${JSON.stringify(pet)}\n`,
  },
  csv: {
    extension: "csv",
    type: "text/csv",
    head: `\ufeff${csvLine(exportColumns)}`,
    separator: "",
    tail: "",
    write: petToCsv,
  },
  json: {
    extension: "json",
    type: "application/json",
    head: "[\n",
    separator: ",\n",
    tail: "\n]\n",
    write: (pet) => JSON.stringify(pet),
  },
} satisfies Record<string, PetFormat>

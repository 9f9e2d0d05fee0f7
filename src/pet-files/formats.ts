import type { Pet } from "../domain/pets/contract.ts"
import { csvColumns, csvLine, petToCsv } from "./csv-columns.ts"

/** How pets are written into a file: what stands before them, between them and behind them. */
export type PetFormat = {
  extension: string
  type: string
  head: string
  separator: string
  tail: string
  write(pet: Pet): string
}

/** The formats an export has, each of which an import reads. Spreadsheets know by the byte order mark that it is UTF-8. */
export const petFormats = {
  ndjson: {
    ...{ extension: "ndjson", type: "application/x-ndjson", head: "", separator: "", tail: "" },
    write: (pet) => `${JSON.stringify(pet)}\n`,
  },
  csv: {
    ...{ extension: "csv", type: "text/csv", head: `\ufeff${csvLine(csvColumns)}`, separator: "", tail: "" },
    write: petToCsv,
  },
  json: {
    ...{ extension: "json", type: "application/json", head: "[\n", separator: ",\n", tail: "\n]\n" },
    write: (pet) => JSON.stringify(pet),
  },
} satisfies Record<string, PetFormat>

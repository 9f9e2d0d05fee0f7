import type { PetDraft } from "../../domain/pets/contract.ts"
import { visible } from "../../kernel/visible.ts"
import { csvColumns, type MappedColumn } from "../../pet-files/csv-columns.ts"
import { createTable } from "../output/table.ts"
import type { Marked } from "./source.ts"

const shownMax = 5

/** What the columns of a CSV file are taken for, a line each. */
export const describeColumns = (columns: readonly MappedColumn[]): string =>
  columns.map(({ title, column }) => `column ${visible(title)} → ${column ?? "nothing"}\n`).join("")

/** Keeps the first pets of an import, for a look at how they were understood. */
export function createPreview() {
  const pets: PetDraft[] = []
  return {
    take(marked: Marked): void {
      if ("draft" in marked && pets.length < shownMax) pets.push(marked.draft)
    },
    format: (): string => (pets.length === 0 ? "" : createTable(csvColumns)(pets)),
  }
}

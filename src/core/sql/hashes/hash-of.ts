import { hash } from "node:crypto"
import { DamagedRecord, type TableRow } from "../../domain/ports/store.ts"

/** The hash of a text: 132 bits of its SHA-256. */
export const hashOf = (text: string): string => hash("sha256", text, "base64url").slice(0, 22)

/** The strong entity tag of a pet's text, which is its hash. */
export const etagOf = (text: string): string => `"${hashOf(text)}"`

/** Throws DamagedRecord for a pet whose text does not have its entity tag. */
export function requireIntactPet({ json, etag }: { json: string; etag: string }, { id }: { id: number }): void {
  if (etagOf(String(json)) !== etag) throw new DamagedRecord("Pet", id)
}

/** Throws DamagedRecord for a text that does not have its hash; `noun` begins a sentence. */
export function requireIntact(
  noun: string,
  { id, json, hash }: { id: number; json: string; hash: string | null },
): void {
  if (hash !== null && hashOf(String(json)) !== hash) throw new DamagedRecord(noun, id)
}

const ofTables: Readonly<Record<string, { column: string; hashOf(text: string): string }>> = {
  pets: { column: "etag", hashOf: etagOf },
  orders: { column: "text_hash", hashOf },
  users: { column: "text_hash", hashOf },
  events: { column: "text_hash", hashOf },
}

/** A row of any table with the hash of its text. */
export function withHash(table: string, columns: readonly string[], row: TableRow): TableRow {
  const hashed = ofTables[table]
  const json = row[columns.indexOf("json")]
  return hashed && typeof json === "string" ? row.with(columns.indexOf(hashed.column), hashed.hashOf(json)) : row
}

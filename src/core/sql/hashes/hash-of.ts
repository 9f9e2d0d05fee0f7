import { hash } from "node:crypto"
import type { HashedKind } from "../../domain/ports/hashes.ts"
import { DamagedRecord, type TableRow } from "../../domain/ports/store.ts"
import { hashedTables } from "./tables.ts"

/** The hash of a text: 132 bits of its SHA-256. */
export const hashOf = (text: string): string => hash("sha256", text, "base64url").slice(0, 22)

/** The strong entity tag of a pet's text, which is its hash. */
export const etagOf = (text: string): string => `"${hashOf(text)}"`

/** Throws DamagedRecord for a pet whose text does not have its entity tag. */
export function requireIntactPet({ json, etag }: { json: string; etag: string }, { id }: { id: number }): void {
  if (etagOf(String(json)) !== etag) throw new DamagedRecord("pets", id)
}

/** Throws DamagedRecord for a record whose text does not have its hash. */
export function requireIntact(
  kind: HashedKind,
  { id, json, hash }: { id: number; json: string; hash: string | null },
): void {
  if (hash !== null && hashOf(String(json)) !== hash) throw new DamagedRecord(kind, id)
}

/** A row of any table with the hash of its text, if it has one. */
export function withHash(table: string, columns: readonly string[], row: TableRow): TableRow {
  const hashed = ofTables.get(table)
  if (hashed === undefined) return row
  const json = row[columns.indexOf("json")]
  const hash = table === "pets" ? etagOf : hashOf
  return typeof json === "string" ? row.with(columns.indexOf(hashed.hash), hash(json)) : row
}

// The hash of an entry of the audit log is in its successor too, so that an edited one does not match.
const ofTables = new Map(
  Object.values(hashedTables)
    .filter(({ name, columns }) => name !== "audit" && !columns)
    .map((table) => [table.name, table]),
)

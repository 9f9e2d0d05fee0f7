import { hash } from "node:crypto"
import type { Backup } from "../../domain/admin/contract.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import type { DatabaseDescription } from "../../storage/sqlite/description.ts"
import type { Sum } from "./hash.ts"

/** The newest format; an archive that lacks images has it, and older programs refuse to read one. */
const format = 2
const wholeFormat = 1

/** What an archive says of itself. */
export type Manifest = Backup & {
  /** The version of the program that wrote it. */
  program: string
  database: ({ kind: "sqlite" } & DatabaseDescription) | KeptElsewhere
  /** The list of all other files: how many it names, its own size, and its SHA-256 in hex. */
  files: Sum
}

/** A database that is not in the archive, because its engine has tools of its own for that; `id` is its identity. */
type KeptElsewhere = { kind: "postgres"; id: string }

/** Versions before webhooks had no table for their secrets. */
export const mayHoldSecrets = (database: Manifest["database"]): boolean =>
  database.kind === "postgres" || Boolean(database.rows.signing_keys && database.rows.webhook_secrets !== undefined)

/** The manifest as text, closed by a checksum of what stands before it. */
export function formatManifest(manifest: Manifest): string {
  const whole = { format: manifest.missing ? format : wholeFormat, ...manifest }
  return `${JSON.stringify({ ...whole, checksum: checksumOf(whole) }, null, 2)}\n`
}

/** Reads a manifest; throws CannotStart when it is not as it was written. */
export function parseManifest(text: string): Manifest {
  const { format: found, checksum, ...manifest } = parse(text)
  if (Number(found) > format)
    throw new CannotStart(`The archive has format ${found}, this program knows ${format}: use a newer Petstore`)
  if (checksum !== checksumOf({ format: found, ...manifest }) || formatManifest(manifest as Manifest) !== text)
    throw new CannotStart("The manifest of the archive is damaged")
  return manifest as Manifest
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new CannotStart("The manifest of the archive is damaged")
  }
}

const checksumOf = (value: Record<string, unknown>): string => hash("sha256", JSON.stringify(value))

import { hash } from "node:crypto"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { DatabaseDescription } from "../../../core/sqlite/description.ts"
import type { Backup } from "../contract.ts"
import type { Sum } from "./hash.ts"

/** The newest format, used for archives that lack images or have damaged records; programs that do not know it refuse them. */
const format = 2
const completeFormat = 1

export type Manifest = Backup & {
  /** Version of the program that wrote it. */
  program: string
  database: ({ kind: "sqlite" } & DatabaseDescription) | ExternalDatabase
  /** The list of all other files: the number of files, the size of the list and its SHA-256 in hex. */
  files: Sum
}

/** A database that is not in the archive, because its engine has its own backup tools; `id` is its identity. */
type ExternalDatabase = { kind: "postgres"; id: string }

/** Schema versions before webhooks have no table for their secrets. */
export const mayHoldSecrets = (database: Manifest["database"]): boolean =>
  database.kind === "postgres" || Boolean(database.rows.signing_keys && database.rows.webhook_secrets !== undefined)

/** The manifest as JSON text that ends with a checksum. */
export function formatManifest(manifest: Manifest): string {
  const content = { format: manifest.missing || manifest.damaged ? format : completeFormat, ...manifest }
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) }, null, 2)}\n`
}

/** Throws CannotStart when the manifest was modified. */
export function parseManifest(text: string): Manifest {
  const { format: found, checksum, ...manifest } = parse(text)
  if (Number(found) > format)
    throw new CannotStart(
      `The archive has format ${found}, but this program supports only up to ${format}: use a newer Petstore`,
    )
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

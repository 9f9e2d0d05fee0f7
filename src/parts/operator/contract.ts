import { hashedRecords } from "../../core/domain/problems/hashed.ts"

/** Requests of an operator on this machine. Access to the files is the authority, so they need no credential. */
export type AdminRequest =
  | { action: "create-key"; name: string }
  | { action: "rotate-sealing" }
  | { action: "rotate-signing"; forgetOld: boolean }
  | { action: "confirm-clock" }
  | { action: "inspect" }
  /** `url` is the address the operator expects: another service on this machine is not reset by mistake. */
  | { action: "reset"; seed: string; url: string }

/** The named results; `error` says why the request failed. */
export type AdminResponse = {
  readonly [name: string]: string | number | readonly Finding[] | undefined
  readonly error?: string
  readonly findings?: readonly Finding[]
}

/** The result of one check; `advice` marks a problem and tells the operator what to do. */
export type Finding = { about: string; found: string; advice?: string }

/** Reports progress: `done` of `total` of these units. */
export type Report = (what: string, done: number, total: number | undefined, unit: string) => void

/** Work on the files of a service on this machine that does not involve the running service. Throws CannotStart. */
export type Maintenance = {
  /** Migrates the database; resolves with its name and the versions of its schema before and after. */
  migrate(): Promise<{ database: string; from: number; to: number }>
  /** Writes a backup to a new location; resolves with its contents. */
  backUp(target: string, report: Report): Promise<Backup>
  /** Reads a whole backup; `wrong` describes each defect in a sentence. */
  verify(source: string, report: Report): Promise<Backup & { wrong: string[] }>
  /** Restores a backup to an empty location. */
  restore(source: string, report: Report): Promise<Backup>
  /** Restores damaged records of a stopped service from the backup, or from those in a directory. */
  repair(source: string): Promise<Repair>
  /** Copies database and images; resolves with the number of rows of each table and the number of images. */
  copy(from: Addresses, to: Addresses, report: Report): Promise<{ rows: Record<string, number>; images?: number }>
}

/** URLs of a database and of images; undefined leaves the images where they are. */
export type Addresses = { database: string; images: string | undefined }

export type Backup = {
  /** ISO 8601, UTC. */
  createdAt: string
  files: { count: number }
  database: { kind: "sqlite"; rows: Record<string, number> } | { kind: "postgres" }
  /** Whether the backup contains the key that decrypts the sealed secrets; if not, it came from a setting. */
  sealingKey: "stored" | "not stored"
  /** The images that are missing, ordered by SHA-256; absent when there are none. */
  missing?: readonly MissingImage[]
  /** The records in its database that do not match their hashes; absent when there are none. */
  damaged?: readonly DamagedRecords[]
}

/**
 * The records that were restored, each `from` the backup made at that time, those of which no backup has the last version, and the
 * addresses of backups that cannot be read, or not to their end.
 */
export type Repair = {
  repaired: readonly { kind: RecordKind; id: number; from: string }[]
  left: readonly { kind: RecordKind; id: number }[]
  unreadable: readonly { backup: string; reason: string }[]
}

/** What does not match its hash: the ids of the first ones, of images the keys of their files, and how many there are. */
export type DamagedRecords = { kind: RecordKind; ids: readonly (number | string)[]; count: number }

/** What is compared with hashes, in words. */
export const recordNouns = { ...hashedRecords, images: { one: "image", many: "images" } }

type RecordKind = keyof typeof recordNouns

/** An image that pets refer to but whose files could not be backed up. */
export type MissingImage = {
  /** Of the original, in hex. */
  sha256: string
  /** The key its files are stored under: the name of their directory. */
  key: string
  reason: "missing" | "damaged"
}

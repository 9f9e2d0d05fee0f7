import type { Seed } from "../sandbox/contract.ts"

/** What somebody on the machine itself may ask for: access to the files is the authority, so it needs no credential. */
export type AdminRequest =
  | { action: "create-key"; name: string }
  | { action: "rotate-sealing" }
  | { action: "rotate-signing"; forgetOld: boolean }
  | { action: "confirm-clock" }
  | { action: "inspect" }
  /** `url` is where whoever asks takes the service to be: another one on this machine is not reset instead. */
  | { action: "reset"; seed: Seed; url: string }

/** What came of it, by name; `error` says why nothing did. */
export type AdminAnswer = {
  readonly [name: string]: string | number | readonly Finding[] | undefined
  readonly error?: string
  readonly findings?: readonly Finding[]
}

/** The result of one check; `advice` marks a problem and says what to do about it. */
export type Finding = { about: string; found: string; advice?: string }

/** Hears how far something is: `done` of `total` of these units. */
export type Report = (what: string, done: number, total: number | undefined, unit: string) => void

/** What is done with the files of a service on this machine, without asking it. Throws CannotStart. */
export type Maintenance = {
  /** Brings the database up to date; resolves with its name, and the versions of its schema before and after. */
  migrate(): Promise<{ database: string; from: number; to: number }>
  /** Writes a backup to a new place; resolves with what it holds. */
  backUp(target: string, report: Report): Promise<Backup>
  /** Reads a whole backup; `wrong` holds a sentence for everything that is not as it should be. */
  verify(source: string, report: Report): Promise<Backup & { wrong: string[] }>
  /** Puts a backup where nothing is yet. */
  restore(source: string, report: Report): Promise<Backup>
  /** Copies database and images to others; resolves with the number of rows of each table and that of images. */
  copy(from: Addresses, to: Addresses, report: Report): Promise<{ rows: Record<string, number>; images?: number }>
}

/** The URLs of a database and of images, which stay where they are when undefined. */
export type Addresses = { database: string; images: string | undefined }

/** What a backup holds. */
export type Backup = {
  /** ISO 8601, UTC. */
  createdAt: string
  files: { count: number }
  database: { kind: "sqlite"; rows: Record<string, number> } | { kind: "postgres" }
  /** Whether it holds the key that opens the sealed secrets in the database; if not, it was a setting. */
  sealingKey: "stored" | "not stored"
  /** The images it lacks, in the order of their SHA-256; absent when it has all of them. */
  missing?: readonly MissingImage[]
}

/** An image that pets refer to and whose files could not be put into a backup. */
export type MissingImage = {
  /** In hex, of the original. */
  sha256: string
  /** The key its files are kept under, the name of their directory. */
  key: string
  reason: "missing" | "damaged"
}

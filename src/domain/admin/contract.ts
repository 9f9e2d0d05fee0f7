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

import { CannotStart } from "../kernel/cannot-start.ts"

/** Encrypts what the service must be able to read back, such as a key it signs with, before it is stored. */
export type Sealing = {
  /** Text that only `open` with the same `purpose` can read. */
  seal(plain: string, purpose: string): string
  /** What was sealed; throws SealBroken when it was changed, moved to another purpose or sealed under another key. */
  open(sealed: string, purpose: string): string
}

/** Something sealed cannot be read: the key beside the database is not the one it was sealed under. */
export class SealBroken extends CannotStart {}

/** The purposes there are. */
export const sealedFor = { signingKeys: "signing key", webhookSecrets: "webhook secret" } as const

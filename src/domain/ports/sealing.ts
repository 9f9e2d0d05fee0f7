import { CannotStart } from "../../kernel/cannot-start.ts"

/** Encrypts what the service must be able to read back, such as a signing key, before it is stored. */
export type Sealing = {
  /** Ciphertext that only `open` with the same `purpose` can read. */
  seal(plain: string, purpose: string): string
  /** The plain text; throws SealBroken when the ciphertext was changed or sealed under another key or purpose. */
  open(sealed: string, purpose: string): string
}

/** Something sealed cannot be opened: the key beside the database is not the one it was sealed under. */
export class SealBroken extends CannotStart {}

/** The purposes there are. */
export const sealedFor = { signingKeys: "signing key", webhookSecrets: "webhook secret" } as const

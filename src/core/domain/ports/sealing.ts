import { CannotStart } from "../../kernel/cannot-start.ts"

/** Encrypts secrets that the service must read back, such as a signing key, before they are stored. */
export type Sealing = {
  /** Ciphertext for `open` with the same `purpose`. */
  seal(plain: string, purpose: string): string
  /** The plain text; throws SealBroken when the ciphertext was modified or sealed under another key or purpose. */
  open(sealed: string, purpose: string): string
}

/** A sealed secret cannot be opened: the configured key is not the one it was sealed under. */
export class SealBroken extends CannotStart {}

export const sealedFor = {
  signingKeys: "signing key",
  webhookSecrets: "webhook secret",
  receiver: "address of a receiver",
} as const

/** How the receiver responds. */
export type ReceiverResponse = { status: number; delaySeconds: number }

/** A message that the receiver got, newest first in lists. */
export type ReceivedMessage = {
  id: number
  /** RFC 3339. */
  at: string
  headers: Readonly<Record<string, string>>
  body: string
  /** The status of the response. */
  status: number
}

/** The receiver of webhooks of an account, inside a sandbox. */
export type Receiver = {
  /** Where webhooks send to, and whether a webhook with this URL does: there are several for an account. */
  url: string
  receives(url: string): boolean
  messages(): readonly ReceivedMessage[]
  response(): ReceiverResponse
  respondWith(response: ReceiverResponse): void
  /** Secrets with which messages are verified: those of the account's webhooks that send here, and those that a person added. */
  secrets(): Promise<readonly string[]>
  trust(secret: string): void
  clear(): void
}

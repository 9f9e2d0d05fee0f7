/** How the receiver responds. */
export type ReceiverResponse = { status: number; delaySeconds: number }

/** A message that the receiver got, newest first in lists; `isCut` when only the beginning of its body is kept. */
export type ReceivedMessage = {
  id: number
  /** RFC 3339. */
  at: string
  headers: Readonly<Record<string, string>>
  body: string
  isCut: boolean
  /** The status of the response. */
  status: number
}

/** The receiver of webhooks of an account, inside a sandbox. */
export type Receiver = {
  /** Where webhooks send to. */
  url: string
  messages(): readonly ReceivedMessage[]
  response(): ReceiverResponse
  respondWith(response: ReceiverResponse): void
  /** Secrets with which messages are verified, the latest first. */
  secrets(): readonly string[]
  trust(secret: string): void
  clear(): void
}

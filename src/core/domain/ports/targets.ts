export type DocumentRequest = { headers: Headers; signal: AbortSignal }

/** Restricts where the service sends requests. */
export type Targets = {
  /** Why this URL is refused, as the end of a sentence, or undefined. Queries DNS; never call it inside a transaction. */
  refusalOf(url: string): Promise<string | undefined>
  /** Fetches a document from a URL that is not refused. Rejects when it is, and when there is no response. */
  fetch(url: string, request: DocumentRequest): Promise<Response>
}

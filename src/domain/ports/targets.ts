/** Restricts where the service sends requests. */
export type Targets = {
  /** Why this URL is refused, as the end of a sentence, or undefined. Queries DNS; never call it inside a transaction. */
  refusalOf(url: string): Promise<string | undefined>
}

/** Decides where the service may send requests. */
export type Targets = {
  /** Why nothing may be sent to this URL, as the end of a sentence, or undefined. Asks DNS; never inside a transaction. */
  refusalOf(url: string): Promise<string | undefined>
}

/** Something every part of the service, in every replica, must hear of at once. */
export type Signal = {
  /** A credential of the account was revoked or changed, or the account's plan was: what is remembered of them is void. */
  kind: "credentials-changed"
  accountId: number
}

/** How the parts of the service and its replicas tell each other. Announce after the commit and before the answer. */
export type Signals = {
  /** Resolves once every listener of this process has heard it and the other replicas have been told. */
  announce(signal: Signal): Promise<void>
  /** Calls `hear` with every signal from now on; answers how to stop. */
  listen(hear: (signal: Signal) => void): () => void
}

/** A credential of the account, or its plan, was changed or revoked; with `everyAccount`, of any. */
export type Signal = { kind: "credentials-changed"; accountId: number }

/** Invalidates caches in this process and in other replicas. Announce after the commit, before the response. */
export type Invalidation = {
  /** Resolves once every local listener has been called and the other replicas have been notified. */
  announce(signal: Signal): Promise<void>
  /** Subscribes to signals; returns how to unsubscribe. */
  listen(listener: (signal: Signal) => void): () => void
  /** Maximum delay of a signal in milliseconds when delivery fails: caches expire at least that often. */
  maxDelayMs: number
}

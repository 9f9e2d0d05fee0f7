/** What one process at a time may do, by the database's own clock: it is held by whoever took it, for as long as that said. */
export type LeaseStore = {
  /** Takes or renews the lease for `durationMs` from now; false while somebody else holds it. */
  take(name: string, holder: string, durationMs: number): Promise<boolean>
  /** Gives the lease back, if the holder has it. */
  release(name: string, holder: string): Promise<void>
}

/** The processes that serve one database, by the database's own clock. A process that is silent for 15 s is gone. */
export type ReplicaStore = {
  /** Says that the process lives; returns how many live, this one included. */
  beat(id: string): Promise<number>
  /** Says that the process ends. */
  leave(id: string): Promise<void>
}

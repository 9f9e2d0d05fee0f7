/** Leases, each held by one process at a time, timed by the database's clock. */
export type LeaseStore = {
  /** Takes or renews the lease for `durationMs`; false while another process holds it. */
  take(name: string, holder: string, durationMs: number): Promise<boolean>
  /** Releases the lease if the holder has it. */
  release(name: string, holder: string): Promise<void>
}

/** The processes that serve a database, timed by its clock. A process that has not reported for 15 s counts as dead. */
export type ReplicaStore = {
  /** Reports that the process is alive; returns the number of live processes. */
  beat(id: string): Promise<number>
  /** Reports that the process stops. */
  leave(id: string): Promise<void>
}

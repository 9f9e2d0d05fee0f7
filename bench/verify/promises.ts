/** What is promised about reliability, and the slow tests that hold it, by the names of their files. */
export const promises: readonly { promise: string; tests: readonly string[] }[] = [
  {
    promise:
      "Pets, open orders and idempotency keys are linearizable, no window of a limit admits more than the plan, and each change has one event, " +
      "in one process that is killed and in three replicas whose PostgreSQL and Redis are killed too.",
    tests: ["histories"],
  },
  {
    promise:
      "A response is sent when its change is on the disk: nothing acknowledged is lost with replicas, PostgreSQL or Redis.",
    tests: ["cluster", "failover"],
  },
  {
    promise:
      "A change is whole or absent: resets, imports, backups, restores, rotations and copies that are killed at any point.",
    tests: ["killed-resets", "import", "backup", "interrupted-restore", "ways-back", "copy-to-postgres"],
  },
  {
    promise: "A transaction has its effect once, also when its connection dies, waits or is in a deadlock.",
    tests: ["postgres-failures", "postgres-shared", "postgres-proxy"],
  },
  {
    promise:
      "Of many requests at once for one thing exactly one succeeds, through all replicas; limits are exact through all of them.",
    tests: ["cluster-exact"],
  },
  { promise: "What a crash may lose of the counts of limits is bounded.", tests: ["limits", "lost-counts"] },
  {
    promise: "Without Redis, or with lost replies of it, requests are served and counted once.",
    tests: ["redis-away", "redis-lost-replies", "redis-shared"],
  },
  {
    promise: "A full, failing or slow disk refuses writes with 503, and blocks and loses nothing.",
    tests: ["full-disk", "stalled-disk"],
  },
  { promise: "Two processes never write one database file.", tests: ["locked-database"] },
  {
    promise: "A client of the event stream gets each event once, in order, whichever replica it asks.",
    tests: ["event-stream-cluster"],
  },
  { promise: "An upgrade, a migration and a stop lose no request.", tests: ["rolling-upgrade", "draining"] },
]

/** What is not promised. */
export const notPromised: readonly string[] = [
  "An account's limits after a crash of one process: the requests of the half second before may be admitted again.",
  "A single disk: with SQLite, what was written since the last backup is lost with it.",
  "PostgreSQL without a synchronous standby: what it had acknowledged and not replicated is lost in a failover.",
  "A success for every request during a failover: some are 503 with `Retry-After`, and clients repeat them.",
  "One delivery of a webhook: it is at least one, with one `webhook-id`.",
]

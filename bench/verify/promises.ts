/** What is promised about reliability, and the files of `test/` that hold it, without their ending. */
export const promises: readonly { promise: string; tests: readonly string[] }[] = [
  {
    promise:
      "Pets, batches, open orders and idempotency keys are linearizable, no window of a limit admits more than the plan, each change has one " +
      "event, and each event arrives at an ordered webhook after those before it: in one process that is killed, and in three replicas " +
      "whose PostgreSQL, Redis and network fail too.",
    tests: ["slow/histories"],
  },
  {
    promise: "After a power failure what was acknowledged is there, and each change is whole.",
    tests: ["slow/power-failure"],
  },
  {
    promise:
      "In any order of transactions, flushes, failures, kills and time: nothing acknowledged is lost and nothing refused is kept, limits " +
      "admit exactly what fits, and each committed event arrives, never twice at once.",
    tests: [
      ...["slow/simulated-group-commit", "slow/simulated-postgres"],
      ...["slow/simulated-limiter", "slow/simulated-delivery"],
    ],
  },
  {
    promise:
      "A response is sent when its change is on the disk: nothing acknowledged is lost with replicas, PostgreSQL or Redis.",
    tests: ["slow/histories", "slow/failover"],
  },
  {
    promise:
      "The same on Patroni, PgBouncer, PostgreSQL 18, Valkey and versitygw, which are killed too; a database that mixes up requests is refused.",
    tests: [
      "slow/engines",
      "slow/pglite",
      "slow/postgres-conformance",
      "slow/redis-conformance",
      "slow/s3-conformance",
    ],
  },
  {
    promise:
      "A change is whole or absent: resets, imports, backups, restores, rotations and copies that are killed at any point.",
    tests: [
      ...["slow/killed-resets", "slow/import", "slow/backup", "slow/interrupted-restore", "slow/ways-back"],
      "slow/copy-to-postgres",
    ],
  },
  {
    promise: "A transaction has its effect once, also when its connection dies, waits or is in a deadlock.",
    tests: ["slow/postgres-failures", "slow/postgres-shared", "slow/postgres-proxy"],
  },
  {
    promise:
      "Of many requests at once for one thing exactly one succeeds, through all replicas; limits are exact through all of them.",
    tests: ["slow/cluster-exact"],
  },
  {
    promise: "What a crash may lose of the counts of limits is bounded.",
    tests: ["slow/limits", "slow/lost-counts"],
  },
  {
    promise: "Without Redis, or with lost replies of it, requests are served and counted once.",
    tests: ["slow/redis-away", "slow/redis-lost-replies", "slow/redis-shared", "slow/simulated-redis"],
  },
  {
    promise: "A full, failing or slow disk refuses writes with 503, and blocks and loses nothing.",
    tests: ["slow/full-disk", "slow/stalled-disk"],
  },
  { promise: "Two processes never write one database file.", tests: ["slow/locked-database"] },
  {
    promise: "A client of the event stream gets each event once, in order, whichever replica it asks.",
    tests: ["slow/event-stream-cluster"],
  },
  {
    promise: "An upgrade, a migration and a stop lose no request.",
    tests: ["slow/rolling-upgrade", "slow/draining"],
  },
]

/** What is not promised. */
export const notPromised: readonly string[] = [
  "An account's limits after a crash of one process: the requests of the half second before may be admitted again.",
  "A single disk: with SQLite, what was written since the last backup is lost with it.",
  "A disk that reports a flush as done before it is.",
  "PostgreSQL without a synchronous standby: what it had acknowledged and not replicated is lost in a failover.",
  "A success for every request during a failover: some are 503 with `Retry-After`, and clients repeat them.",
  "One delivery of a webhook: it is at least one, with one `webhook-id`.",
]

/** What the tests do not show. */
export const leftOut: readonly string[] = [
  "Mutants: [none are made](decisions/testing.md#mutants-are-not-part-of-the-tests). The seeded faults show which faults are caught, not at which rate.",
  "A test that takes too long catches nothing: a seeded fault counts as caught only by an assertion that fails.",
  "No history has users, sessions, tokens, the audit log, images or named sandboxes. Where one of them is promised, another test holds it.",
  "Simulations repeat exactly from their seed; real processes and networks repeat their schedule of faults, not each order.",
  "Power failures are of SQLite and of images on one disk, not of PostgreSQL, which has tests of its own.",
  "Minutes, not months: what takes longer than the soak to fill up is not seen.",
]

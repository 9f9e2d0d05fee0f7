import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { startReplicas, withoutCluster } from "../harness/cluster.ts"
import { withoutPostgres } from "../harness/postgres.ts"
import { queryValues, startReplicatedPostgres } from "../harness/replicated-postgres.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { until } from "../harness/until.ts"
import { startWriters } from "../harness/writers.ts"

/** Maximum times until writes resume: after a promotion has ended, with allowance for busy machines; and after a silent primary, as documented. */
const resumesWithinMs = 5_000
const resumesAfterSilenceMs = 22_000

describe("PostgreSQL with a synchronous standby", { skip: withoutPostgres }, () => {
  let resumedAfterMs = Number.NaN
  test("a service switches to the promoted standby without a restart, and nothing acknowledged is lost", {
    skip: withoutCluster,
  }, async (t) => {
    await using postgres = await startReplicatedPostgres()
    await using cluster = await startReplicas({ replicas: 2, databaseUrl: postgres.url })
    await using writing = startWriters(cluster, 8)
    await until(() => writing.pets.size > 50, "nothing was created")
    await postgres.primary.stop("immediate")
    await after(1_000)
    const before = writing.pets.size
    await postgres.promote()
    const promotedAt = performance.now()
    await until(() => writing.pets.size > before + 100, "writes did not resume")
    await writing.stop()

    await writing.verify()
    resumedAfterMs = (writing.acknowledgedAt[before] as number) - promotedAt
    const resumed = `${resumedAfterMs.toFixed(0)} ms after the promotion ended`
    reportEffort(t, { kills: 1, ...writing.effort(), "writes resumed": resumed })
    assert.ok(before > 0)
    for (const replica of cluster.replicas) assert.equal((await replica.kill()).code, 0)
  })

  // Not in the test before, which one failure decides: this one may only have lacked processor time.
  test("writes resumed soon after that promotion", { skip: withoutCluster }, () => {
    assert.ok(resumedAfterMs < resumesWithinMs, `after ${resumedAfterMs} ms`)
  })

  test("a service abandons a primary that does not respond", { skip: withoutCluster }, async (t) => {
    await using postgres = await startReplicatedPostgres()
    await using cluster = await startReplicas({ replicas: 2, databaseUrl: postgres.url })
    await using writing = startWriters(cluster, 8)
    await until(() => writing.pets.size > 50, "nothing was created")
    using _silence = postgres.primary.freeze()
    const silentAt = performance.now()
    await postgres.promote()
    const before = writing.pets.size
    await until(() => writing.pets.size > before, "writes did not resume", resumesAfterSilenceMs)
    await writing.stop()

    await writing.verify()
    const resumedAfterMs = (writing.acknowledgedAt[before] as number) - silentAt
    const resumed = `${resumedAfterMs.toFixed(0)} ms after the primary fell silent`
    reportEffort(t, { faults: 1, ...writing.effort(), "writes resumed": resumed })
    assert.ok(resumedAfterMs < resumesAfterSilenceMs)
  })

  test("a promoted standby is not used while the old primary runs, and changes only on the old primary are not acknowledged", async () => {
    await using postgres = await startReplicatedPostgres()
    const store = await openPostgres(`${postgres.url}?query_timeout=2000`, { connections: 6 })
    const add = (id: number) => store.transaction((tx) => tx.pets.add([samplePet(id)]))
    await add(1)
    await postgres.promote()
    await assert.rejects(add(2), StoreUnavailable)
    await postgres.primary.stop("immediate")
    await add(3)
    assert.ok(await store.pets.read(1))
    assert.equal(await store.pets.read(2), undefined)
    await store.close()
  })

  test("a host that becomes read-only is abandoned, also by reads", async () => {
    await using postgres = await startReplicatedPostgres()
    const store = await openPostgres(postgres.url, { connections: 6 })
    const add = (id: number) => store.transaction((tx) => tx.pets.add([samplePet(id)]))
    await Promise.all([1, 2, 3, 4].map(add))
    assert.ok(await store.pets.read(1))
    await postgres.promote()
    await queryValues(postgres.primary.url, "ALTER SYSTEM SET default_transaction_read_only = on")
    await queryValues(postgres.primary.url, "SELECT pg_reload_conf()")
    await until(
      async () => (await queryValues(postgres.primary.url, "SHOW transaction_read_only"))[0] === "on",
      "not reloaded",
    )
    await add(5)
    assert.ok(await store.pets.read(5))
    await store.close()
  })

  test("a service does not start when all hosts are standbys", async () => {
    await using postgres = await startReplicatedPostgres()
    await postgres.primary.stop("fast")
    await assert.rejects(
      openPostgres(postgres.url, { connections: 2, waitMs: 500 }),
      /cannot be used: no host takes writes/,
    )
  })
})

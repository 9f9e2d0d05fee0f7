import assert from "node:assert/strict"
import { test } from "node:test"
import { Client, type ClientBase } from "pg"
import { settingsFor } from "../harness/database.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { newPet } from "../harness/samples.ts"

/** What one transaction sent: its statements, and how often it waited for results before it sent the next ones. */
type Sent = { texts: string[]; statements: number; roundTrips: number }

/** Records every transaction that this process sends to PostgreSQL. */
function recordTransactions() {
  const ended: Sent[] = []
  const open = new Map<ClientBase, Sent & { pending: number }>()
  const { query } = Client.prototype
  function recorded(this: ClientBase, ...sent: Parameters<typeof query>) {
    const [config] = sent as unknown as [string | { text: string }]
    const text = typeof config === "string" ? config : config.text
    if (text.startsWith("BEGIN")) open.set(this, { texts: [], statements: 0, roundTrips: 0, pending: 0 })
    const transaction = open.get(this)
    const result = query.apply(this, sent) as unknown as Promise<unknown>
    if (!transaction) return result
    transaction.texts.push(text)
    transaction.statements++
    if (transaction.pending++ === 0) transaction.roundTrips++
    const settle = () => void transaction.pending--
    result.then(settle, settle)
    if (text === "COMMIT") {
      open.delete(this)
      ended.push(transaction)
    }
    return result
  }
  Client.prototype.query = recorded as unknown as typeof query
  return {
    ended,
    [Symbol.dispose]() {
      Client.prototype.query = query
    },
  }
}

/** The plans that read a table from its start to its end even where the planner avoids that. */
async function scanning(database: string, texts: Iterable<string>): Promise<string[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan")
  const plans: string[] = []
  for (const text of texts) {
    if (/^(BEGIN|COMMIT)/.test(text)) continue
    const count = new Set(text.match(/\$\d+/g)).size
    await client.query(`PREPARE planned AS ${text}`)
    const { rows } = await client.query(
      `EXPLAIN EXECUTE planned${count ? `(${Array(count).fill("NULL").join()})` : ""}`,
    )
    await client.query("DEALLOCATE planned")
    plans.push(`${text}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}`)
  }
  await client.end()
  return plans.filter((plan) => /Seq Scan on/.test(plan))
}

test("a write waits for PostgreSQL as often as docs/decisions/storage-postgres.md says", {
  skip: withoutPostgres,
}, async () => {
  await using server = await startPostgres()
  const database = await server.createDatabase()
  await using petstore = await startPetstore({ env: settingsFor(database) })
  const as = petstore.as("special-key")
  const labels = { category: { name: "Dogs" }, tags: [{ name: "calm" }, { name: "big" }] }
  const draft = { name: "Rex", photoUrls: ["https://photos.example/1.jpg"], ...labels }
  const petId = await newPet(as, draft)
  using recording = recordTransactions()
  const texts = new Set<string>()

  /** The transaction of the write that contains this statement. */
  async function sentBy(write: () => Promise<unknown>, statement: RegExp) {
    recording.ended.length = 0
    await write()
    const found = recording.ended.filter(({ texts }) => texts.some((text) => statement.test(text)))
    assert.equal(found.length, 1)
    const { statements, roundTrips, texts: sent } = found[0] as Sent
    for (const text of sent) texts.add(text)
    return { statements, roundTrips }
  }

  const sent = {
    create: await sentBy(() => newPet(as, draft), /INSERT INTO pets/),
    put: await sentBy(() => as.updatePet({ body: { id: petId, ...draft, name: "Max" } }), /UPDATE pets/),
    order: await sentBy(() => as.placeOrder({ body: { petId } }), /INSERT INTO orders/),
  }
  assert.deepEqual(sent, {
    create: { statements: 9, roundTrips: 6 },
    put: { statements: 8, roundTrips: 4 },
    order: { statements: 12, roundTrips: 5 },
  })
  const batch = await sentBy(
    () => as.importPets({ body: Array.from({ length: 100 }, () => draft) }),
    /INSERT INTO pets/,
  )
  assert.deepEqual(batch, { statements: 12, roundTrips: 10 })

  // No statement of these writes needs to read a whole table.
  assert.deepEqual(await scanning(database, texts), [])
  assert.equal((await scanning(database, ["SELECT id FROM pets WHERE json = $1"])).length, 1)

  recording.ended.length = 0
  await Promise.all(Array.from({ length: 100 }, () => newPet(as, draft)))
  const creates = recording.ended.filter(({ texts }) => texts.some((text) => /INSERT INTO pets/.test(text)))
  assert.ok(creates.length <= 10, `${creates.length} transactions for 100 concurrent creates`)
})

// Runs in a process of its own.
import assert from "node:assert/strict"
import { addAbortSignal } from "node:stream"
import { after, test } from "node:test"
import fc from "fast-check"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { emptyDatabases } from "../simulation/databases.ts"
import { anyClients, anyDeliveries, runDeliveries, type Storage } from "../simulation/deliveries.ts"
import { anyFatesOfServer, type Fates } from "../simulation/fates.ts"
import { SimulatedPostgres, simulatedUrl } from "../simulation/postgres.ts"
import { simulate } from "../simulation/simulate.ts"

const databases = await emptyDatabases()
after(() => databases[Symbol.dispose]())

test("in any order of changes, attempts and kills: each committed event arrives, of an ordered pet in its order, and never twice at once", async (t) =>
  reportEffort(
    t,
    await simulate(fc.record(anyDeliveries), async (input, schedule) => {
      await using database = databases.open()
      // The lease of a killed process ends.
      const storage = {
        open: async () => database,
        start() {},
        recover() {},
        failing: [],
        recovery: [70_000, 1000, 1000],
      }
      await runDeliveries(input, schedule, storage)
    }),
  ))

const withPostgres = fc.record({
  ...anyDeliveries,
  webhooks: fc.array(fc.boolean(), { minLength: 2, maxLength: 3 }),
  clients: anyClients(4),
  workers: fc.integer({ min: 2, max: 3 }),
  kills: fc.array(fc.integer({ min: 5, max: 300 }), { maxLength: 2 }),
  stops: fc.array(fc.integer({ min: 5, max: 300 }), { maxLength: 1 }),
  responses: fc.array(fc.constantFrom("accepts" as const, "fails" as const, "is slow" as const), { maxLength: 4 }),
  passing: fc.array(fc.constantFrom(1, 20, 100, 100, 500, 2000), { maxLength: 40, size: "max" }),
  fates: anyFatesOfServer({ commits: 80, statements: 500 }),
})
/** Each takes a third of a second of processor time. */
const runs = 25

test("the same with replicas on a PostgreSQL that loses replies, cuts connections, refuses statements and has rows locked", async (t) => {
  const seen = { attempts: 0, "attempts lost": 0, "attempts repeated": 0, "commits unnoticed": 0, "rows skipped": 0 }
  const effort = await simulate(
    withPostgres,
    async ({ fates, ...input }, schedule) => {
      using server = new SimulatedPostgres(schedule, fates)
      const { attempts, lost, unnoticed } = await runDeliveries(input, schedule, postgresStorage(server, fates))
      const accepted = attempts.filter(({ end }) => end === "accepted").map(({ url, name }) => url + name)
      seen.attempts += attempts.length
      seen["attempts lost"] += lost.length
      seen["attempts repeated"] += accepted.length - new Set(accepted).size
      seen["commits unnoticed"] += unnoticed
      seen["rows skipped"] += server.skipped
    },
    runs,
  )
  reportEffort(t, { ...effort, ...seen })
  if (!process.env.SIMULATION) assert.ok(!Object.values(seen).includes(0), JSON.stringify(seen))
})

const postgresStorage = (server: SimulatedPostgres, fates: Fates): Storage => ({
  open: (killed) =>
    openPostgres(simulatedUrl, { connections: 6, stream: () => addAbortSignal(killed, server.stream()) }),
  start: () => server.start(),
  recover() {
    for (const list of Object.values(fates)) list.length = 0
  },
  failing: Array<number>(12).fill(2000),
  // A statement without a reply has its timeout, and a lost claim the end of its lease.
  recovery: [...Array<number>(9).fill(2000), 45_000, 2000, 2000],
})

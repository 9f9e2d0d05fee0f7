import { describe } from "node:test"
import type { Database, Repositories } from "../../../src/core/domain/ports/store.ts"
import { type Recording, recording, testCompleteness } from "../recording.ts"
import { testAccounts } from "./accounts.ts"
import { testAudit } from "./audit.ts"
import { testClockChecks } from "./clock-checks.ts"
import { testCommits } from "./commits.ts"
import { testConsents } from "./consents.ts"
import { testDeliveries } from "./deliveries.ts"
import { testDeliveryOrder } from "./delivery-order.ts"
import { testEvents } from "./events.ts"
import { testHashes } from "./hashes.ts"
import { testIdempotency } from "./idempotency.ts"
import { testImages } from "./images.ts"
import { testKeys } from "./keys.ts"
import { testLeases } from "./leases.ts"
import { testLimits } from "./limits.ts"
import { testOAuthClients } from "./oauth-clients.ts"
import { testOAuthRecords } from "./oauth-records.ts"
import { testOrders } from "./orders.ts"
import { testOrigin } from "./origin.ts"
import { testPetLists } from "./pet-lists.ts"
import { testPetPages } from "./pet-pages.ts"
import { testPets } from "./pets.ts"
import { testReplicas } from "./replicas.ts"
import type { OpenStore } from "./samples.ts"
import { testSessions } from "./sessions.ts"
import { testSharedTransactions } from "./shared-transactions.ts"
import { testSigningKeys } from "./signing-keys.ts"
import { testTransactions } from "./transactions.ts"
import { testUsers } from "./users.ts"
import { testWebhooks } from "./webhooks.ts"

const suites: Record<
  | keyof Repositories
  | "transactions"
  | "shared transactions"
  | "commits"
  | "order of deliveries"
  | "pages of pets"
  | "lists of pets",
  (open: OpenStore) => void
> = {
  transactions: testTransactions,
  "shared transactions": testSharedTransactions,
  commits: testCommits,
  accounts: testAccounts,
  audit: testAudit,
  clockChecks: testClockChecks,
  consents: testConsents,
  deliveries: testDeliveries,
  "order of deliveries": testDeliveryOrder,
  events: testEvents,
  hashes: testHashes,
  idempotency: testIdempotency,
  images: testImages,
  keys: testKeys,
  leases: testLeases,
  limits: testLimits,
  oauthClients: testOAuthClients,
  oauthRecords: testOAuthRecords,
  orders: testOrders,
  origin: testOrigin,
  pets: testPets,
  "pages of pets": testPetPages,
  "lists of pets": testPetLists,
  replicas: testReplicas,
  sessions: testSessions,
  signingKeys: testSigningKeys,
  users: testUsers,
  webhooks: testWebhooks,
}

/** The requirements for every store. `open` is called for each part of the suite and returns an empty store. */
export function storeConformance(adapter: string, open: OpenStore): void {
  describe(`${adapter} as a store`, () => {
    const recorded = recording()
    for (const [name, testPart] of Object.entries(suites)) describe(name, () => testPart(watched(open, recorded)))
    testCompleteness(recorded)
  })
}

/** Opens stores whose methods are recorded, also inside transactions; closing one is not part of the port. */
const watched =
  (open: OpenStore, { watch }: Recording): OpenStore =>
  async () => {
    const { close, ...store } = await open()
    const port: Omit<Database, "close"> = watch(store)
    return { ...port, transaction: (work) => port.transaction((tx) => work(watch(tx))), close }
  }

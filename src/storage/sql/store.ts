import type { Repositories } from "../../domain/ports/store.ts"
import { accountStore } from "./accounts.ts"
import { auditStore } from "./audit.ts"
import { clockCheckStore } from "./clock-checks.ts"
import { consentStore } from "./consents.ts"
import { deliveryStore } from "./deliveries.ts"
import { eventStore } from "./events.ts"
import { idempotencyStore } from "./idempotency.ts"
import { imageStore } from "./images.ts"
import { keyStore } from "./keys.ts"
import { leaseStore } from "./leases.ts"
import { limitStore } from "./limits.ts"
import { oauthClientStore } from "./oauth-clients.ts"
import { oauthRecordStore } from "./oauth-records.ts"
import { orderStore } from "./orders.ts"
import { originStore } from "./origin.ts"
import { petStore } from "./pets.ts"
import { replicaStore } from "./replicas.ts"
import { sessionStore } from "./sessions.ts"
import { signingKeyStore } from "./signing-keys.ts"
import type { Connection } from "./statement.ts"
import { userStore } from "./users.ts"
import { webhookStore } from "./webhooks.ts"

/** Every noun's questions, asked over one connection. */
export const repositories = (db: Connection): Repositories => ({
  accounts: accountStore(db),
  audit: auditStore(db),
  clockChecks: clockCheckStore(db),
  consents: consentStore(db),
  deliveries: deliveryStore(db),
  events: eventStore(db),
  idempotency: idempotencyStore(db),
  images: imageStore(db),
  keys: keyStore(db),
  leases: leaseStore(db),
  limits: limitStore(db),
  oauthClients: oauthClientStore(db),
  oauthRecords: oauthRecordStore(db),
  orders: orderStore(db),
  origin: originStore(db),
  pets: petStore(db),
  replicas: replicaStore(db),
  sessions: sessionStore(db),
  users: userStore(db),
  signingKeys: signingKeyStore(db),
  webhooks: webhookStore(db),
})

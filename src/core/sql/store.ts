import type { Repositories } from "../domain/ports/store.ts"
import { hashStore } from "./hashes/hashes.ts"
import { accountStore } from "./nouns/accounts.ts"
import { auditStore } from "./nouns/audit.ts"
import { clockCheckStore } from "./nouns/clock-checks.ts"
import { consentStore } from "./nouns/consents.ts"
import { deliveryStore } from "./nouns/deliveries.ts"
import { eventStore } from "./nouns/events.ts"
import { idempotencyStore } from "./nouns/idempotency.ts"
import { imageStore } from "./nouns/images.ts"
import { keyStore } from "./nouns/keys.ts"
import { leaseStore } from "./nouns/leases.ts"
import { limitStore } from "./nouns/limits.ts"
import { oauthClientStore } from "./nouns/oauth-clients.ts"
import { oauthRecordStore } from "./nouns/oauth-records.ts"
import { orderStore } from "./nouns/orders.ts"
import { originStore } from "./nouns/origin.ts"
import { replicaStore } from "./nouns/replicas.ts"
import { sessionStore } from "./nouns/sessions.ts"
import { signingKeyStore } from "./nouns/signing-keys.ts"
import { userStore } from "./nouns/users.ts"
import { webhookStore } from "./nouns/webhooks.ts"
import { petStore } from "./pets/pets.ts"
import type { SqlConnection } from "./statement.ts"

export const repositories = (db: SqlConnection): Repositories => ({
  accounts: accountStore(db),
  audit: auditStore(db),
  clockChecks: clockCheckStore(db),
  consents: consentStore(db),
  deliveries: deliveryStore(db),
  events: eventStore(db),
  hashes: hashStore(db),
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

import { CannotStart } from "../kernel/cannot-start.ts"
import type { Dialect } from "./dialect.ts"
import * as accountsAndKeys from "./migrations/0001-accounts-and-keys.ts"
import * as pets from "./migrations/0002-pets.ts"
import * as eventsAndIdempotency from "./migrations/0003-events-and-idempotency.ts"
import * as limitsAndKeyDetails from "./migrations/0004-limits-and-key-details.ts"
import * as usersAndSessions from "./migrations/0005-users-and-sessions.ts"
import * as ordersAndInventory from "./migrations/0006-orders-and-inventory.ts"
import * as oauth from "./migrations/0008-oauth.ts"
import * as origin from "./migrations/0009-origin.ts"
import * as webhooks from "./migrations/0010-webhooks.ts"
import * as images from "./migrations/0011-images.ts"
import * as consents from "./migrations/0012-consents.ts"
import * as boundsAndRetention from "./migrations/0013-bounds-and-retention.ts"
import * as identity from "./migrations/0014-identity.ts"
import * as boundedQuestions from "./migrations/0015-bounded-questions.ts"
import * as cheaperChanges from "./migrations/0016-cheaper-changes.ts"
import * as lists from "./migrations/0017-lists.ts"
import * as audit from "./migrations/0019-audit.ts"
import * as replicas from "./migrations/0020-replicas.ts"
import * as tagsOfPets from "./migrations/0021-tags-of-pets.ts"
import * as storeIdentity from "./migrations/0022-store-identity.ts"
import * as clockChecks from "./migrations/0023-clock-checks.ts"
import * as positionsAtInsert from "./migrations/0024-positions-at-insert.ts"
import * as usersWithConsents from "./migrations/0025-users-with-consents.ts"
import * as expiringKeys from "./migrations/0026-expiring-keys.ts"
import * as removedEvents from "./migrations/0027-removed-events.ts"
import * as sentLabelIds from "./migrations/0028-sent-label-ids.ts"
import * as timesOfPets from "./migrations/0029-times-of-pets.ts"
import * as timesOfOrders from "./migrations/0030-times-of-orders.ts"
import * as ordersOfAnyPet from "./migrations/0031-orders-of-any-pet.ts"
import * as idTokenAlgorithms from "./migrations/0032-id-token-algorithms.ts"
import * as webhooksToWake from "./migrations/0033-webhooks-to-wake.ts"
import * as hashesOfTexts from "./migrations/0034-hashes-of-texts.ts"
import * as hashesOfColumns from "./migrations/0035-hashes-of-columns.ts"

/** Every schema change in order; the version of a database is the number of changes it has had. Only ever append. */
export const migrations: readonly ((dialect: Dialect) => string[])[] = [
  accountsAndKeys.up,
  pets.up,
  eventsAndIdempotency.up,
  limitsAndKeyDetails.up,
  usersAndSessions.up,
  ordersAndInventory.up,
  oauth.up,
  origin.up,
  webhooks.up,
  images.up,
  consents.up,
  boundsAndRetention.up,
  identity.up,
  boundedQuestions.up,
  cheaperChanges.up,
  lists.up,
  audit.up,
  replicas.up,
  tagsOfPets.up,
  storeIdentity.up,
  clockChecks.up,
  positionsAtInsert.up,
  usersWithConsents.up,
  expiringKeys.up,
  removedEvents.up,
  sentLabelIds.up,
  timesOfPets.up,
  timesOfOrders.up,
  ordersOfAnyPet.up,
  idTokenAlgorithms.up,
  webhooksToWake.up,
  hashesOfTexts.up,
  hashesOfColumns.up,
]

/** The version of a database that `petstore restore` or `petstore copy` has not completed. */
export const unfinishedVersion = -1

/** The statements from `version` to the newest one. Throws CannotStart like `requireKnown`. */
export function migrationsFrom(version: number, dialect: Dialect): string[] {
  requireKnown(version)
  return migrations.slice(version).flatMap((up) => up(dialect))
}

/** Throws CannotStart for a database to be copied that has another version than this program. */
export function requireNewest(version: number, name: string): void {
  if (version !== migrations.length)
    throw new CannotStart(
      `${name} has schema version ${version}, this program ${migrations.length}: bring it up to date with petstore migrate first`,
    )
}

/** Throws CannotStart for an incomplete database or a newer version. */
export function requireKnown(version: number): void {
  if (version === unfinishedVersion)
    throw new CannotStart(
      "The database is not whole: petstore restore or petstore copy has not finished it. Run that command again.",
    )
  if (version > migrations.length)
    throw new CannotStart(
      `The database has schema version ${version}, this program knows ${migrations.length}. It was written by a newer ` +
        "version of Petstore: start that version, or restore a backup made before the upgrade.",
    )
}

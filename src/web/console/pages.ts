import { accountPage } from "./account.ts"
import { accountsPage } from "./accounts.ts"
import { applicationPage } from "./application.ts"
import { applicationsPage } from "./applications.ts"
import { auditPage } from "./audit.ts"
import { auditEntryPage } from "./audit-entry.ts"
import { consentsPage } from "./consents.ts"
import { deliveryPage } from "./delivery.ts"
import { eventsPage } from "./events.ts"
import { exportPage } from "./export.ts"
import { healthPage } from "./health.ts"
import { importPage } from "./import.ts"
import { keyPage } from "./key.ts"
import { keysPage } from "./keys.ts"
import { newAccountPage } from "./new-account.ts"
import { newApplicationPage } from "./new-application.ts"
import { newKeyPage } from "./new-key.ts"
import { newOrderPage } from "./new-order.ts"
import { newPetPage } from "./new-pet.ts"
import { newUserPage } from "./new-user.ts"
import { newWebhookPage } from "./new-webhook.ts"
import { orderPage } from "./order.ts"
import { ordersPage } from "./orders.ts"
import { overviewPage } from "./overview.ts"
import { ownPasswordPage } from "./own-password.ts"
import type { ConsolePage } from "./page.ts"
import { petPage } from "./pet.ts"
import { petsPage } from "./pets.ts"
import { photosPage } from "./photos.ts"
import { profilePage } from "./profile.ts"
import { signaturesPage } from "./signatures.ts"
import { userPage } from "./user.ts"
import { ownDeletionPage, userDeletionPage } from "./user-deletion.ts"
import { userPasswordPage } from "./user-password.ts"
import { usersPage } from "./users.ts"
import { webhookPage } from "./webhook.ts"
import { webhookSettingsPage } from "./webhook-settings.ts"
import { webhooksPage } from "./webhooks.ts"

/** Every page of the console, in the order of its navigation. */
export const consolePages: readonly ConsolePage[] = [
  ...[overviewPage, petsPage, newPetPage, importPage, exportPage, petPage, photosPage],
  ...[ordersPage, newOrderPage, orderPage],
  ...[usersPage, newUserPage, userPage, userPasswordPage, userDeletionPage],
  ...[accountsPage, newAccountPage, accountPage],
  ...[keysPage, newKeyPage, keyPage, applicationsPage, newApplicationPage, applicationPage, consentsPage],
  ...[webhooksPage, newWebhookPage, signaturesPage, webhookPage, webhookSettingsPage, deliveryPage],
  ...[eventsPage, auditPage, auditEntryPage, healthPage],
  ...[profilePage, ownPasswordPage, ownDeletionPage],
]

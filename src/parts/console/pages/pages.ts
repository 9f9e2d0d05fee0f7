import type { ConsoleExtension } from "../extension.ts"
import { accountPage } from "./accounts/account.ts"
import { accountsPage } from "./accounts/accounts.ts"
import { newAccountPage } from "./accounts/new-account.ts"
import { applicationPage } from "./applications/application.ts"
import { applicationsPage } from "./applications/applications.ts"
import { consentsPage } from "./applications/consents.ts"
import { newApplicationPage } from "./applications/new-application.ts"
import { auditPage } from "./audit/audit.ts"
import { auditEntryPage } from "./audit/audit-entry.ts"
import { eventsPage } from "./events/events.ts"
import { healthPage } from "./health.ts"
import { exportPage } from "./import-export/export.ts"
import { importPage } from "./import-export/import.ts"
import { keyPage } from "./keys/key.ts"
import { keysPage } from "./keys/keys.ts"
import { newKeyPage } from "./keys/new-key.ts"
import { newOrderPage } from "./orders/new-order.ts"
import { orderPage } from "./orders/order.ts"
import { ordersPage } from "./orders/orders.ts"
import { overviewPage } from "./overview.ts"
import type { ConsolePage, PageGroup } from "./page.ts"
import { newPetPage } from "./pets/new-pet.ts"
import { petPage } from "./pets/pet.ts"
import { petsPage } from "./pets/pets.ts"
import { photosPage } from "./pets/photos.ts"
import { newUserPage } from "./users/new-user.ts"
import { ownPasswordPage } from "./users/own-password.ts"
import { profilePage } from "./users/profile.ts"
import { userPage } from "./users/user.ts"
import { ownDeletionPage, userDeletionPage } from "./users/user-deletion.ts"
import { userPasswordPage } from "./users/user-password.ts"
import { usersPage } from "./users/users.ts"
import { deliveryPage } from "./webhooks/delivery.ts"
import { newWebhookPage } from "./webhooks/new-webhook.ts"
import { signaturesPage } from "./webhooks/signatures.ts"
import { webhookPage } from "./webhooks/webhook.ts"
import { webhookSettingsPage } from "./webhooks/webhook-settings.ts"
import { webhooksPage } from "./webhooks/webhooks.ts"

/** The groups of the navigation, in its order, with the pages of an extension. It shows those pages whose path is one word. */
export const groupsWith = (further: ConsoleExtension["pages"] = {}): readonly PageGroup[] =>
  pageGroups.map((group) => ({
    ...group,
    pages: group.pages.flatMap((page) => [page, ...(further[page.path] ?? [])]),
  }))

/** All pages of the console. */
export const pagesOf = (groups: readonly PageGroup[]): readonly ConsolePage[] => groups.flatMap(({ pages }) => pages)

const pageGroups: readonly PageGroup[] = [
  { pages: [overviewPage] },
  {
    title: "Store",
    pages: [petsPage, newPetPage, importPage, exportPage, petPage, photosPage, ordersPage, newOrderPage, orderPage],
  },
  {
    title: "Developers",
    pages: [
      keysPage,
      newKeyPage,
      keyPage,
      applicationsPage,
      newApplicationPage,
      applicationPage,
      webhooksPage,
      newWebhookPage,
      signaturesPage,
      webhookPage,
      webhookSettingsPage,
      deliveryPage,
      eventsPage,
    ],
  },
  {
    title: "Operate",
    pages: [
      usersPage,
      newUserPage,
      userPage,
      userPasswordPage,
      userDeletionPage,
      accountsPage,
      newAccountPage,
      accountPage,
      auditPage,
      auditEntryPage,
      healthPage,
    ],
  },
  { title: "You", pages: [profilePage, ownPasswordPage, ownDeletionPage, consentsPage] },
]

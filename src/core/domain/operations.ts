import { createAccount } from "./accounts/create.ts"
import { patchAccount } from "./accounts/patch.ts"
import { getAccount, getOwnAccount } from "./accounts/read.ts"
import type { ApiContract } from "./api.ts"
import { listAudit } from "./audit/list.ts"
import type { AnyOperation, Verb } from "./context.ts"
import { listEvents } from "./events/list.ts"
import { streamEvents } from "./events/stream.ts"
import { listPetImages } from "./images/list.ts"
import { deletePetImage } from "./images/remove.ts"
import { uploadFile } from "./images/upload.ts"
import { createKey } from "./keys/create.ts"
import { getKey, listKeys } from "./keys/read.ts"
import { revokeKey } from "./keys/revoke.ts"
import { rotateKey } from "./keys/rotate.ts"
import { endConsent } from "./oauth/consents/end.ts"
import { listConsents } from "./oauth/consents/list.ts"
import { createOAuthClient } from "./oauth/create.ts"
import { getOAuthClient } from "./oauth/read.ts"
import { deleteOAuthClient } from "./oauth/remove.ts"
import { rotateOAuthClientSecret } from "./oauth/rotate-secret.ts"
import { updateOAuthClient } from "./oauth/update.ts"
import { patchOrder } from "./orders/patch.ts"
import { placeOrder, placeOrderInV2 } from "./orders/place.ts"
import { getOrderById, listOrders } from "./orders/read.ts"
import { getOrderRecord, listOrderRecords } from "./orders/records/read.ts"
import { deleteOrder } from "./orders/remove.ts"
import { patchPets } from "./pets/batch/patch.ts"
import { deletePets } from "./pets/batch/remove.ts"
import { addPet } from "./pets/create.ts"
import { importPets } from "./pets/import.ts"
import { keepName } from "./pets/keep-name.ts"
import { patchPet } from "./pets/patch.ts"
import { getPetById } from "./pets/read.ts"
import { getPetRecord, listPetRecords } from "./pets/records/read.ts"
import { deletePet } from "./pets/remove.ts"
import { updatePet } from "./pets/replace.ts"
import { listPets } from "./pets/search/list.ts"
import { keepSentIds, listSentIds, showSentIds } from "./pets/sent-ids.ts"
import { updatePetWithForm } from "./pets/update-with-form.ts"
import { grantRole } from "./users/grant.ts"
import { putUser } from "./users/put.ts"
import { getRole, getUserByName, listRoles, listUsers } from "./users/read.ts"
import { createUser, createUserInV2 } from "./users/register.ts"
import { createUsersInV2, createUsersWithListInput } from "./users/register-list.ts"
import { deleteUser } from "./users/remove.ts"
import { updateUser } from "./users/replace.ts"
import { resetPassword } from "./users/reset-password.ts"
import { logIn, loginUser } from "./users/sessions/log-in.ts"
import { logOut, logoutUser } from "./users/sessions/log-out.ts"
import { createWebhook } from "./webhooks/create.ts"
import { getDelivery, listDeliveries } from "./webhooks/deliveries/read.ts"
import { retryDelivery, retryFailedDeliveries } from "./webhooks/deliveries/retry.ts"
import { testWebhook } from "./webhooks/deliveries/test-webhook.ts"
import { getWebhook, listWebhooks } from "./webhooks/read.ts"
import { deleteWebhook } from "./webhooks/remove.ts"
import { rotateWebhookSecret } from "./webhooks/rotate-secret.ts"
import { updateWebhook } from "./webhooks/update.ts"

/** The implementation of every endpoint; an incomplete table does not compile. Verbs that only call storage are written inline. */
export const operations: { [Name in keyof ApiContract]: Verb<Name> } = {
  addPet,
  importPets,
  updatePet,
  findPetsByStatus: (ctx, { query, page }) => ctx.store.pets.byStatus(query.status, page),
  findPetsByTags: (ctx, { query, page }) => ctx.store.pets.byTags(query.tags, page),
  getPetById,
  patchPet,
  updatePetWithForm,
  deletePet,
  listPets,
  listPetRecords,
  getPetRecord,
  listOrderRecords,
  getOrderRecord,
  patchPets,
  deletePets,
  getInventory: (ctx) => ctx.store.pets.inventory(),
  placeOrder,
  listOrders,
  getOrderById,
  patchOrder,
  deleteOrder,
  uploadFile,
  listPetImages,
  deletePetImage,
  createUser,
  createUsersWithListInput,
  listUsers,
  getUserByName,
  updateUser,
  deleteUser,
  resetPassword,
  listRoles,
  getRole,
  grantRole,
  logIn,
  loginUser,
  logOut,
  logoutUser,
  createOAuthClient,
  listOAuthClients: (ctx, { page }) => ctx.store.oauthClients.list(ctx.caller.account.id, page),
  getOAuthClient,
  updateOAuthClient,
  deleteOAuthClient,
  rotateOAuthClientSecret,
  listConsents,
  endConsent,
  getOwnAccount,
  createAccount,
  listAccounts: (ctx, { page }) => ctx.store.accounts.list(page),
  getAccount,
  patchAccount,
  createKey,
  listKeys,
  getKey,
  revokeKey,
  rotateKey,
  listAudit,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  retryDelivery,
  retryFailedDeliveries,
  listEvents,
  streamEvents,
}

/** The operations as the classic v2 has them. */
export const operationsOfV2: Record<keyof ApiContract, AnyOperation> = {
  ...operations,
  addPet: keepSentIds(addPet),
  updatePet: keepSentIds(keepName(updatePet)),
  getPetById: showSentIds(getPetById),
  findPetsByStatus: listSentIds(operations.findPetsByStatus),
  findPetsByTags: listSentIds(operations.findPetsByTags),
  placeOrder: placeOrderInV2,
  createUser: createUserInV2,
  createUsersWithListInput: createUsersInV2,
  updateUser: putUser({ updateUser, resetPassword, createUsersWithListInput: createUsersInV2 }),
}

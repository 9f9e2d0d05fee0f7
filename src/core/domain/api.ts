import { accounts } from "./accounts/contract.ts"
import { audit } from "./audit/contract.ts"
import { events } from "./events/contract.ts"
import { images } from "./images/contract.ts"
import { keys } from "./keys/contract.ts"
import { consents } from "./oauth/consents/contract.ts"
import { oauth } from "./oauth/contract.ts"
import { orders } from "./orders/contract.ts"
import { orderRecords } from "./orders/records/contract.ts"
import { petBatches } from "./pets/batch/contract.ts"
import { pets } from "./pets/contract.ts"
import { petRecords } from "./pets/records/contract.ts"
import { petSearch } from "./pets/search/contract.ts"
import { users } from "./users/contract.ts"
import { sessions } from "./users/sessions/contract.ts"
import { webhooks } from "./webhooks/contract.ts"
import { deliveries } from "./webhooks/deliveries/contract.ts"

/** All endpoints by operationId. */
export const api = {
  ...pets,
  ...petSearch,
  ...petRecords,
  ...orderRecords,
  ...petBatches,
  ...images,
  ...orders,
  ...webhooks,
  ...deliveries,
  ...events,
  ...users,
  ...sessions,
  ...oauth,
  ...consents,
  ...accounts,
  ...keys,
  ...audit,
}

export type ApiContract = typeof api

/** The operations of the public Petstore v3, with the same operationIds. */
export const classicOperations = [
  "addPet",
  "updatePet",
  "findPetsByStatus",
  "findPetsByTags",
  "getPetById",
  "updatePetWithForm",
  "deletePet",
  "uploadFile",
  "getInventory",
  "placeOrder",
  "getOrderById",
  "deleteOrder",
  "createUser",
  "createUsersWithListInput",
  "loginUser",
  "logoutUser",
  "getUserByName",
  "updateUser",
  "deleteUser",
] satisfies (keyof ApiContract)[]

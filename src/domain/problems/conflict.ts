import type { ProblemKind } from "../../kernel/problem.ts"

/** What conflicts with what is stored. */
export const conflictProblems = {
  "pet-exists": {
    status: 409,
    title: "Pet exists",
    meaning: "A pet with the id in the body exists already and was not changed. Omit the id to get a new one.",
  },
  "pet-has-open-order": {
    status: 409,
    title: "Pet has an open order",
    meaning:
      "Until the order for this pet is delivered or cancelled, the pet's status follows the order and the pet cannot be " +
      "deleted.",
  },
  "pet-not-available": {
    status: 409,
    title: "Pet not available",
    meaning: "The pet is on order or sold. Nothing was changed.",
  },
  "order-exists": {
    status: 409,
    title: "Order exists",
    meaning: "An order with the id in the body exists already and was not changed. Omit the id to get a new one.",
  },
  "too-many-open-orders": {
    status: 409,
    title: "Too many open orders",
    meaning: "The customer has the maximum number of undelivered orders. Wait until some are delivered, or cancel one.",
  },
  "order-status-conflict": {
    status: 409,
    title: "Order status conflict",
    meaning: "An order moves from placed to approved to delivered, one step at a time and never back. Read it again.",
  },
  "user-exists": {
    status: 409,
    title: "User exists",
    meaning: "The username, or the id in the body, is taken. Nothing was changed.",
  },
  "oauth-client-has-no-secret": {
    status: 409,
    title: "OAuth client has no secret",
    meaning: "A public client has no secret, so there is none to rotate.",
  },
  "too-many-oauth-clients": {
    status: 409,
    title: "Too many OAuth clients",
    meaning: "The account has the maximum number of OAuth clients. Delete those that are not used.",
  },
  "key-rotated": {
    status: 409,
    title: "Key rotated",
    meaning: "The API key was rotated already. Rotate its successor instead.",
  },
  "well-known-key": {
    status: 409,
    title: "Well-known key",
    meaning:
      "The sandbox's documented API keys keep working for everybody: none of them can be revoked or rotated, and their accounts " +
      "keep their plans. Create a key or an account of your own for that; `petstore reset` brings the sandbox back to its start.",
  },
  "too-many-keys": {
    status: 409,
    title: "Too many keys",
    meaning: "The account has the maximum number of API keys. Revoke those that are not used.",
  },
  "webhook-disabled": {
    status: 409,
    title: "Webhook disabled",
    meaning:
      "The webhook was disabled, because it responded 410 or no attempt succeeded for five days, and nothing is sent to " +
      "it. Set its status to active; once a test delivery has succeeded, events are sent again.",
  },
  "webhook-limit": {
    status: 409,
    title: "Webhook limit reached",
    meaning: "The account has the maximum number of webhooks, or the webhook the maximum number of secrets in use.",
  },
  "idempotency-key-in-use": {
    status: 409,
    title: "Idempotency key in use",
    meaning: "A request with this Idempotency-Key is still running. Send it again when that one has finished.",
  },
  "too-many-photos": {
    status: 409,
    title: "Too many images",
    meaning: "A pet has at most 50 images. Remove one with DELETE /pet/{petId}/images/{sha256}, then upload again.",
  },
  "image-quota-exceeded": {
    status: 409,
    title: "No space for more images",
    meaning:
      "The images uploaded by the account take up all the space its plan allows. Remove some (space is free again a day " +
      "after no pet refers to an image any more), or ask for another plan.",
  },
  "precondition-failed": {
    status: 412,
    title: "Precondition failed",
    meaning:
      "The resource no longer has the ETag in `If-Match`: it was changed in the meantime. Read it again, then decide.",
  },
} as const satisfies Record<string, ProblemKind>

import type { ProblemKind } from "../../kernel/problem.ts"

/** What does not fit what is stored. */
export const conflictProblems = {
  "pet-exists": {
    status: 409,
    title: "Pet exists",
    meaning:
      "A pet with the id in the body is there already and was left as it is. Leave the id out to be given a new one.",
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
    meaning: "Somebody else has ordered the pet, or it is sold. Nothing was changed.",
  },
  "order-exists": {
    status: 409,
    title: "Order exists",
    meaning:
      "An order with the id in the body is there already and was left as it is. Leave the id out to be given a new one.",
  },
  "too-many-open-orders": {
    status: 409,
    title: "Too many open orders",
    meaning:
      "The customer has as many undelivered orders as a customer may have. Wait until some are delivered, or cancel one.",
  },
  "order-status-conflict": {
    status: 409,
    title: "Order status conflict",
    meaning: "An order moves from placed to approved to delivered, one step at a time and never back. Read it again.",
  },
  "user-exists": {
    status: 409,
    title: "User exists",
    meaning: "The username, or the id in the body, is somebody else's. Nothing was changed.",
  },
  "oauth-client-has-no-secret": {
    status: 409,
    title: "OAuth client has no secret",
    meaning: "A public client has no secret, so there is none to rotate.",
  },
  "too-many-oauth-clients": {
    status: 409,
    title: "Too many OAuth clients",
    meaning: "The account has as many OAuth clients as an account may have. Delete those that are not used.",
  },
  "key-rotated": {
    status: 409,
    title: "Key rotated",
    meaning: "The API key was rotated before, and its successor is the one to rotate now.",
  },
  "too-many-keys": {
    status: 409,
    title: "Too many keys",
    meaning: "The account has as many API keys as an account may have. Revoke those that are not used.",
  },
  "webhook-disabled": {
    status: 409,
    title: "Webhook disabled",
    meaning:
      "The webhook was disabled, because it answered 410 or did not succeed for five days, and is sent nothing. Set its " +
      "status to active; once a test delivery succeeds, it is sent everything again.",
  },
  "webhook-limit": {
    status: 409,
    title: "Webhook limit reached",
    meaning: "The account has as many webhooks, or the webhook as many secrets that still sign, as there may be.",
  },
  "idempotency-key-in-use": {
    status: 409,
    title: "Idempotency key in use",
    meaning: "A request with this Idempotency-Key is still running. Send it again when that one has been answered.",
  },
  "too-many-photos": {
    status: 409,
    title: "Too many photos",
    meaning: "A pet has 50 photos at most. Remove one with DELETE /pet/{petId}/images/{sha256}, then upload again.",
  },
  "image-quota-exceeded": {
    status: 409,
    title: "No room for more photos",
    meaning:
      "The photos the account has uploaded take up all the room its plan gives. Remove some (room is free again a day " +
      "after the last pet has let go of a photo), or ask for another plan.",
  },
  "precondition-failed": {
    status: 412,
    title: "Precondition failed",
    meaning:
      "The resource is not in the state `If-Match` asks for: somebody changed it since. Read it again, then decide.",
  },
} as const satisfies Record<string, ProblemKind>

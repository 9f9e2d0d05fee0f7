import type { ProblemKind } from "../../kernel/problem.ts"

/** What is not there, or not for the caller to see. */
export const absenceProblems = {
  "not-found": {
    status: 404,
    title: "No such resource",
    meaning: "There is nothing at this address. The interface is described at /docs.",
  },
  "webhook-not-found": { status: 404, title: "Webhook not found", meaning: "The account has no webhook with this id." },
  "delivery-not-found": {
    status: 404,
    title: "Delivery not found",
    meaning:
      "The webhook has no delivery with this id. Deliveries are kept for 30 days, or as long as the operator says.",
  },
  "pet-not-found": { status: 404, title: "Pet not found", meaning: "There is no pet with this id." },
  "order-not-found": {
    status: 404,
    title: "Order not found",
    meaning: "There is no order with this id, or none that the caller may see.",
  },
  "user-not-found": {
    status: 404,
    title: "User not found",
    meaning: "There is no user with this name, or none that the caller may see.",
  },
  "oauth-client-not-found": {
    status: 404,
    title: "OAuth client not found",
    meaning: "The account has no OAuth client with this id.",
  },
  "consent-not-found": {
    status: 404,
    title: "Consent not found",
    meaning: "The person has given no consent with this id, or it has ended.",
  },
  "key-not-found": { status: 404, title: "Key not found", meaning: "The account has no API key with this id." },
  "account-not-found": { status: 404, title: "Account not found", meaning: "There is no account with this id." },
  "image-not-found": {
    status: 404,
    title: "Photo not found",
    meaning: "The pet has no photo with this SHA-256. GET /pet/{petId}/images lists those it has.",
  },
} as const satisfies Record<string, ProblemKind>

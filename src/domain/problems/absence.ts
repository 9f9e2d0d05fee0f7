import type { ProblemKind } from "../../kernel/problem.ts"

/** What does not exist, or is not visible to the caller. */
export const absenceProblems = {
  "not-found": {
    status: 404,
    title: "No such resource",
    meaning: "There is no resource at this URL. The API is documented at /docs.",
  },
  "webhook-not-found": { status: 404, title: "Webhook not found", meaning: "The account has no webhook with this id." },
  "delivery-not-found": {
    status: 404,
    title: "Delivery not found",
    meaning:
      "The webhook has no delivery with this id. Deliveries are kept for 30 days, unless the operator has set another retention.",
  },
  "pet-not-found": { status: 404, title: "Pet not found", meaning: "There is no pet with this id." },
  "order-not-found": {
    status: 404,
    title: "Order not found",
    meaning: "There is no order with this id, or none that is visible to the caller.",
  },
  "user-not-found": {
    status: 404,
    title: "User not found",
    meaning: "There is no user with this name, or none that is visible to the caller.",
  },
  "oauth-client-not-found": {
    status: 404,
    title: "OAuth client not found",
    meaning: "The account has no OAuth client with this id.",
  },
  "consent-not-found": {
    status: 404,
    title: "Consent not found",
    meaning: "The person has no consent with this id, or it has ended.",
  },
  "key-not-found": { status: 404, title: "Key not found", meaning: "The account has no API key with this id." },
  "account-not-found": { status: 404, title: "Account not found", meaning: "There is no account with this id." },
  "image-not-found": {
    status: 404,
    title: "Image not found",
    meaning: "The pet has no image with this SHA-256. GET /pet/{petId}/images lists its images.",
  },
} as const satisfies Record<string, ProblemKind>

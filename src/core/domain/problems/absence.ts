import { kindsOf } from "../../kernel/problem.ts"

/** The resource does not exist or is not visible to the caller. */
export const absenceProblems = {
  ...kindsOf(410, {
    "event-unknown":
      "The event feed does not contain this event, or no longer, so the client may have missed events. Their retention has ended, or the " +
      "service was reset, restored from a backup, or continues on another database. Read `GET /events` without `after`, which starts with the " +
      "oldest event kept, and compare with what the client has.",
  }),
  ...kindsOf(404, {
    "not-found": {
      title: "No such resource",
      meaning: "There is no resource at this URL.",
    },
    "webhook-not-found": "The account has no webhook with this id.",
    "delivery-not-found":
      "The webhook has no delivery with this id. Deliveries are kept for 30 days, unless the operator has set another retention.",
    "sandbox-not-found":
      "There is no sandbox with this name. One that was not used for an hour, or for its own time, is deleted.",
    "request-not-found":
      "The sandbox has not recorded a request with this id, or no longer: the last thousand are kept.",
    "hold-not-found": "The sandbox holds no request with this id: it was released, or has continued by itself.",
    "pet-not-found": "There is no pet with this id.",
    "order-not-found": "There is no order with this id, or none that is visible to the caller.",
    "user-not-found": "There is no user with this name, or none that is visible to the caller.",
    "oauth-client-not-found": {
      title: "OAuth client not found",
      meaning: "The account has no OAuth client with this id.",
    },
    "consent-not-found": "The person has no consent with this id, or it has ended.",
    "key-not-found": "The account has no API key with this id.",
    "account-not-found": "There is no account with this id.",
    "image-not-found": "The pet has no image with this SHA-256. GET /pet/{petId}/images lists its images.",
  }),
}

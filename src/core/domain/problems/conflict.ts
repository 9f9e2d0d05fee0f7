import { kindsOf } from "../../kernel/problem.ts"

export const conflictProblems = {
  ...kindsOf(409, {
    "pet-exists": "A pet with the id in the body already exists and was not changed. Omit the id to get a new one.",
    "pet-has-open-order": {
      title: "Pet has an open order",
      meaning:
        "Until the order for this pet is delivered or cancelled, the pet's status follows the order and the pet cannot be " +
        "deleted.",
    },
    "pet-not-available": "The pet is on order or sold. Nothing was changed.",
    "order-exists":
      "An order with the id in the body already exists and was not changed. Omit the id to get a new one.",
    "too-many-open-orders":
      "The customer has the maximum number of undelivered orders. Wait until some are delivered, or cancel one.",
    "order-status-conflict":
      "An order moves from placed to approved to delivered, one step at a time and never back. Read it again.",
    "user-exists": "The username, or the id in the body, is taken. Nothing was changed.",
    "oauth-client-has-no-secret": {
      title: "OAuth client has no secret",
      meaning: "A public client has no secret, so there is none to rotate.",
    },
    "too-many-oauth-clients": {
      title: "Too many OAuth clients",
      meaning: "The account has the maximum number of OAuth clients. Delete those that are not used.",
    },
    "key-rotated": "The API key has already been rotated. Rotate its successor instead.",
    "well-known-key": {
      title: "Well-known key",
      meaning:
        "The sandbox's documented API keys are shared: they cannot be revoked or rotated, and the plans of their accounts cannot be " +
        "changed. Create a key or an account of your own for that; `petstore reset` restores the initial state of the sandbox.",
    },
    "well-known-user": {
      title: "Well-known user",
      meaning:
        "The sandbox's documented users are shared: they cannot be deleted or renamed, and get neither another password nor a lower " +
        "role. Register a user of your own for that; `petstore reset` restores the initial state of the sandbox.",
    },
    "clock-advancing":
      "An advance of the sandbox's clock waits for the response of a webhook, and would wait for another advance that the webhook's " +
      "receiver requests. Advance the clock after it has ended.",
    "named-sandbox-required":
      "The service's own sandbox has the real time and keeps its data. Name another one with the header `Petstore-Sandbox` or the " +
      "base path `/s/NAME`.",
    "sandbox-exists":
      "There is a sandbox with this name. Choose another name, or make it a copy with POST /sandbox/reset?from=NAME.",
    "sandbox-too-large":
      "As the result of a tool a sandbox file has at most 16 MiB, and this one would have more. Get it from /sandboxes/{name}/file.",
    "too-many-keys": "The account has the maximum number of API keys. Revoke those that are not used.",
    "webhook-disabled":
      "The webhook was disabled, because it responded 410 or no attempt succeeded for five days, and nothing is sent to " +
      "it. Set its status to active; once a test delivery has succeeded, events are sent again.",
    "webhook-limit": {
      title: "Webhook limit reached",
      meaning: "The account has the maximum number of webhooks, or the webhook the maximum number of secrets in use.",
    },
    "idempotency-key-in-use":
      "A request with this Idempotency-Key is still running. Send it again when that one has finished.",
    "too-many-photos": {
      title: "Too many images",
      meaning: "A pet has at most 50 images. Remove one with DELETE /pet/{petId}/images/{sha256}, then upload again.",
    },
    "image-quota-exceeded": {
      title: "No space for more images",
      meaning:
        "The images of the account use all the storage that its plan allows. Remove some (storage is released a day after " +
        "no pet refers to an image any more), or ask for another plan.",
    },
  }),
  ...kindsOf(412, {
    "precondition-failed":
      "The resource does not meet `If-Match` or `If-None-Match`, and nothing was done. Usually it was changed in the meantime: read it " +
      "again, then decide. A resource without an ETag only matches `*`.",
  }),
}

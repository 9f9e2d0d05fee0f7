import type { ProblemKind } from "../kernel/problem.ts"

/** Every problem this service can answer with; `type` is `/problems/{code}` and leads to a page made from this table. */
export const problems = {
  "malformed-request": {
    status: 400,
    title: "Malformed request",
    meaning: "The request is not valid HTTP or its address is not valid. Check how the URL is encoded.",
  },
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
    meaning: "The body is not one JSON value in UTF-8 (RFC 8259). The detail says where reading stopped.",
  },
  "invalid-parameter": {
    status: 400,
    title: "Invalid parameter",
    meaning: "A path, query or header parameter does not have the form it must have. `errors` names each one.",
  },
  "invalid-pet-id": {
    status: 400,
    title: "Invalid pet id",
    meaning: "A replaced pet is named by `id` in the body: an integer from 1 to 9007199254740991.",
  },
  "invalid-credentials": {
    status: 400,
    title: "Invalid credentials",
    meaning: "Nobody has this username and this password. The answer is the same whether or not the user exists.",
  },
  unauthorized: {
    status: 401,
    title: "Credential required",
    meaning:
      "The operation needs an API key in the header `api_key` or an access token in `Authorization: Bearer …`, and " +
      "the request had none, or one that is unknown, expired or revoked.",
  },
  forbidden: {
    status: 403,
    title: "Scope missing",
    meaning: "The credential is valid but was not given the scope this operation needs.",
  },
  "role-missing": {
    status: 403,
    title: "Role missing",
    meaning: "The operation is for people of the store, or for those above the user it is about.",
  },
  "foreign-page": {
    status: 403,
    title: "Page of another site",
    meaning:
      "The sandbox's keys are known to everybody, so web pages of other sites may use it but not administer it. The detail " +
      "says which origin or host was not recognised.",
  },
  "not-found": {
    status: 404,
    title: "No such resource",
    meaning: "There is nothing at this address. The interface is described at /docs.",
  },
  "webhook-not-found": { status: 404, title: "Webhook not found", meaning: "The account has no webhook with this id." },
  "delivery-not-found": {
    status: 404,
    title: "Delivery not found",
    meaning: "The webhook has no delivery with this id. Deliveries are kept for 30 days.",
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
  "key-not-found": { status: 404, title: "Key not found", meaning: "The account has no API key with this id." },
  "account-not-found": { status: 404, title: "Account not found", meaning: "There is no account with this id." },
  "image-not-found": {
    status: 404,
    title: "Photo not found",
    meaning: "The pet has no photo with this SHA-256. GET /pet/{petId}/images lists those it has.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    meaning: "The address exists but does not answer to this method. The header `Allow` lists those it answers to.",
  },
  "not-acceptable": {
    status: 406,
    title: "Not acceptable",
    meaning: "The header `Accept` rules out application/json, the only form this answer has.",
  },
  "request-timeout": {
    status: 408,
    title: "Request timeout",
    meaning: "The request did not arrive whole within 30 seconds. Send it again, without pausing.",
  },
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
  "body-too-large": {
    status: 413,
    title: "Body too large",
    meaning: "The body is larger than this operation takes.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    meaning: "The body's Content-Type is not one this operation reads. Send application/json in UTF-8.",
  },
  "range-not-satisfiable": {
    status: 416,
    title: "Range not satisfiable",
    meaning: "The range asked for begins after the end. `Content-Range` says how many bytes there are.",
  },
  "unsupported-image": {
    status: 415,
    title: "Not a picture",
    meaning: "By its content, whatever its name or type says, the file is not JPEG, PNG, WebP, GIF or AVIF.",
  },
  "unreadable-image": {
    status: 422,
    title: "Unreadable picture",
    meaning:
      "The file begins like a picture but is damaged, cut off, or too much work to decode. Save it anew and try again.",
  },
  "image-too-large": {
    status: 422,
    title: "Too many pixels",
    meaning: "The picture has more than 50 megapixels, all frames of an animation together. Make it smaller.",
  },
  "invalid-body": {
    status: 422,
    title: "Invalid body",
    meaning:
      "The body was understood but breaks rules of the schema. `errors` lists every broken rule and where it is.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "Idempotency key reused",
    meaning:
      "This Idempotency-Key came with a different request within the last 24 hours. Use a new key for a new request.",
  },
  "too-many-requests": {
    status: 429,
    title: "Too many requests",
    meaning:
      "The address sent more requests without a valid credential than one address may. Send a valid credential, or " +
      "send it again after `Retry-After`.",
  },
  "quota-exceeded": {
    status: 429,
    title: "Quota exceeded",
    meaning:
      "The account has used up what its plan allows in the windows `violated-policies` names. The request was not " +
      "counted; send it again after `Retry-After`. `RateLimit` on every answer tells how much is left.",
  },
  "too-many-attempts": {
    status: 429,
    title: "Too many attempts",
    meaning:
      "Too many wrong passwords were given for this user or from this address. Wait as long as `Retry-After` says.",
  },
  "header-too-large": {
    status: 431,
    title: "Header too large",
    meaning: "The request's headers are larger than 16 KiB together.",
  },
  "internal-error": {
    status: 500,
    title: "Internal error",
    meaning: "A bug in the service. It is logged under `requestId`; please report that id.",
  },
  overloaded: {
    status: 503,
    title: "Overloaded",
    meaning:
      "The service has more to do than it can answer in time, and did not begin with this request. Send it again after " +
      "`Retry-After`.",
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    meaning: "The service cannot answer just now, and nothing was changed. Send the request again after `Retry-After`.",
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

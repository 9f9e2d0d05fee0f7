import type { ProblemKind } from "../../kernel/problem.ts"

/** What is wrong with the request itself, and what its body or parameters break. */
export const requestProblems = {
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
      "This Idempotency-Key came with a different request before, and its answer is still kept. Use a new key for a new request.",
  },
  "header-too-large": {
    status: 431,
    title: "Header too large",
    meaning: "The request's headers are larger than 16 KiB together.",
  },
} as const satisfies Record<string, ProblemKind>

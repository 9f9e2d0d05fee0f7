import type { ProblemKind } from "../../kernel/problem.ts"

/** What is wrong with a request, its parameters or its body. */
export const requestProblems = {
  "malformed-request": {
    status: 400,
    title: "Malformed request",
    meaning: "The request is not valid HTTP, or its URL or its form is not valid. Check how they are encoded.",
  },
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
    meaning: "The body is not one JSON value in UTF-8 (RFC 8259). The detail says where parsing stopped.",
  },
  "malformed-xml": {
    status: 400,
    title: "Malformed XML",
    meaning:
      "The body is not a well-formed XML document in UTF-8 without a document type. The detail says where parsing stopped.",
  },
  "invalid-parameter": {
    status: 400,
    title: "Invalid parameter",
    meaning: "A path, query or header parameter is not valid. `errors` names each one.",
  },
  "invalid-pet-id": {
    status: 400,
    title: "Invalid pet id",
    meaning: "The pet to replace is named by `id` in the body: an integer from 1 to 9007199254740991.",
  },
  "invalid-credentials": {
    status: 400,
    title: "Invalid credentials",
    meaning: "Username or password is wrong. The response is the same whether or not the user exists.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    meaning: "The resource does not support this method. The header `Allow` lists the methods it supports.",
  },
  "not-acceptable": {
    status: 406,
    title: "Not acceptable",
    meaning:
      "The header `Accept` excludes every media type of this response: application/json, and application/xml for the classic operations.",
  },
  "request-timeout": {
    status: 408,
    title: "Request timeout",
    meaning: "The request did not arrive completely within 30 seconds. Send it again without pauses.",
  },
  "body-too-large": {
    status: 413,
    title: "Body too large",
    meaning: "The body is larger than this operation accepts.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    meaning:
      "The body's Content-Type is not one this operation accepts, or it accepts no body. The detail says what to send.",
  },
  "range-not-satisfiable": {
    status: 416,
    title: "Range not satisfiable",
    meaning: "The requested range begins after the end. `Content-Range` says how many bytes there are.",
  },
  "unsupported-image": {
    status: 415,
    title: "Unsupported image",
    meaning: "The content of the file, whatever its name or type, is not JPEG, PNG, WebP, GIF or AVIF.",
  },
  "unreadable-image": {
    status: 422,
    title: "Unreadable image",
    meaning:
      "The file begins like an image but is damaged, truncated, or too expensive to decode. Export it again and retry.",
  },
  "image-too-large": {
    status: 422,
    title: "Too many pixels",
    meaning: "The image has more than 50 megapixels, all frames of an animation together. Make it smaller.",
  },
  "invalid-body": {
    status: 422,
    title: "Invalid body",
    meaning: "The body was parsed but does not match the schema. `errors` lists every violation and where it is.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "Idempotency key reused",
    meaning:
      "This Idempotency-Key was used for a different request, whose response is still kept. Use a new key for a new request.",
  },
  "header-too-large": {
    status: 431,
    title: "Header too large",
    meaning: "The request's headers are larger than 16 KiB in total.",
  },
} as const satisfies Record<string, ProblemKind>

import { kindsOf } from "../../kernel/problem.ts"

export const requestProblems = {
  ...kindsOf(400, {
    "malformed-request":
      "The request is not valid HTTP, or its URL or its form is not valid. Check how they are encoded.",
    "malformed-json": {
      title: "Malformed JSON",
      meaning: "The body is not one JSON value in UTF-8 (RFC 8259). The detail says where parsing stopped.",
    },
    "malformed-xml": {
      title: "Malformed XML",
      meaning:
        "The body is not a well-formed XML document in UTF-8 without a document type. The detail says where parsing stopped.",
    },
    "invalid-parameter": "A path, query or header parameter is not valid. `errors` names each one.",
    "invalid-pet-id": "The pet to replace is named by `id` in the body: an integer from 1 to 9007199254740991.",
    "invalid-credentials": "Username or password is wrong. The response is the same whether or not the user exists.",
  }),
  ...kindsOf(405, {
    "method-not-allowed":
      "The resource does not support this method. The header `Allow` lists the methods it supports.",
  }),
  ...kindsOf(406, {
    "not-acceptable":
      "The header `Accept` excludes every media type of this response: application/json, and application/xml for the classic operations.",
  }),
  ...kindsOf(408, {
    "request-timeout": "The request did not arrive completely within 30 seconds. Send it again without pauses.",
  }),
  ...kindsOf(413, {
    "body-too-large": "The body is larger than this operation accepts.",
  }),
  ...kindsOf(415, {
    "unsupported-media-type":
      "The body's Content-Type is not one this operation accepts, or it accepts no body. The detail says what to send.",
    "unsupported-image":
      "The content of the file, regardless of its name or type, is not JPEG, PNG, WebP, GIF or AVIF.",
  }),
  ...kindsOf(416, {
    "range-not-satisfiable": "The requested range starts after the end. `Content-Range` says how many bytes there are.",
  }),
  ...kindsOf(422, {
    "requests-unexpected": {
      title: "Requests are not as expected",
      meaning:
        "The sandbox has not recorded the requests that were to be verified. `count` says how many match, `nearest` which requests differ least " +
        "and in what.",
    },
    "unreadable-image":
      "The file starts like an image but is damaged, truncated, or too expensive to decode. Export it again and retry.",
    "image-too-large": {
      title: "Too many pixels",
      meaning: "The image has more than 50 megapixels, all frames of an animation together. Make it smaller.",
    },
    "invalid-body":
      "The body was parsed but does not match the schema. `errors` lists every violation and where it is.",
    "idempotency-key-reused":
      "This Idempotency-Key was used for a different request, whose response is still kept. Use a new key for a new request.",
  }),
  ...kindsOf(431, {
    "header-too-large": "The request's headers are larger than 16 KiB in total.",
  }),
}

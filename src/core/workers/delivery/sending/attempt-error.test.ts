import assert from "node:assert/strict"
import { test } from "node:test"
import { RefusedAddress } from "./address-guard.ts"
import { classifyFailure, classifyStatus } from "./attempt-error.ts"
import { UnknownHost } from "./resolve-name.ts"

test("a status of 2xx is a success, one of 3xx a redirect, and any other a refusal", () => {
  for (const [status, expected] of [
    [100, "status"],
    [199, "status"],
    [200, undefined],
    [204, undefined],
    [299, undefined],
    [300, "redirect"],
    [399, "redirect"],
    [400, "status"],
    [599, "status"],
  ] as const)
    assert.equal(classifyStatus(status), expected, `${status}`)
})

const failure = (code: string | undefined, name = "Error", more: object = {}) =>
  Object.assign(new Error("no"), { name, ...(code !== undefined && { code }), ...more })

test("a failed request has the kind of its code or its name", () => {
  for (const [error, kind] of [
    [new RefusedAddress("no"), "refused-address"],
    [new UnknownHost("no"), "dns"],
    [failure(undefined, "TimeoutError"), "timeout"],
    [failure("UND_ERR_CONNECT_TIMEOUT"), "timeout"],
    [failure("ETIMEDOUT"), "timeout"],
    ...["ERR_TLS_CERT", "ERR_SSL_WRONG", "EPROTO", "CERT_HAS_EXPIRED", "UNABLE_TO_VERIFY", "DEPTH_ZERO_SELF"].map(
      (code) => [failure(code), "tls"] as const,
    ),
    ...["SELF_SIGNED_CERT", "HOSTNAME_MISMATCH", "ERR_OSSL_X"].map((code) => [failure(code), "tls"] as const),
    ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES", "EINVAL"].map(
      (code) => [failure(code), "connect"] as const,
    ),
    ...["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].map((code) => [failure(code), "reset"] as const),
    [failure("HPE_INVALID", "HTTPParserError"), "malformed-response"],
    ...["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT", "UND_ERR_INVALID_ARG"].map(
      (code) => [failure(code), "malformed-response"] as const,
    ),
    [failure("ENOMEM"), "connect"],
    [failure(undefined), "connect"],
    [failure("X_CERT_"), "connect"],
    [failure("ECONNRESETS"), "connect"],
    [undefined, "connect"],
  ] as const)
    assert.equal(classifyFailure(error), kind, `${error?.name} ${error && "code" in error ? error.code : ""}`)
})

test("the first known cause decides, then the first of several errors", () => {
  const reset = failure("ECONNRESET")
  assert.equal(classifyFailure(failure("UNKNOWN", "Error", { cause: reset })), "reset")
  assert.equal(classifyFailure(failure("EPROTO", "Error", { cause: reset })), "tls")
  assert.equal(classifyFailure(failure("ECONNREFUSED", "Error", { cause: reset })), "connect")
  assert.equal(
    classifyFailure(failure(undefined, "AggregateError", { errors: [failure("ETIMEDOUT"), reset] })),
    "timeout",
  )
  assert.equal(classifyFailure(failure(undefined, "Error", { cause: reset, errors: [failure("ETIMEDOUT")] })), "reset")
  assert.equal(classifyFailure(failure(undefined, "AggregateError", { errors: [] })), "connect")
})

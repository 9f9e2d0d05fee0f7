import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../../test/harness/endpoint.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { formTypes, jsonOrXml } from "../../kernel/network/media-types.ts"
import { Type } from "../../kernel/schema/type.ts"
import { problemsOf } from "./problem-responses.ts"

const open: Endpoint<Scope, ProblemCode> = { ...plainEndpoint, scope: "open" }
const body = Type.Object({})
const upload = { types: ["image/*"], bytesMax: 1, fields: body }

const ofAnyRequest: readonly ProblemCode[] = [
  "malformed-request",
  "invalid-parameter",
  "not-acceptable",
  "request-timeout",
  "unsupported-media-type",
  "too-many-requests",
  "header-too-large",
  "internal-error",
  "damaged",
  "overloaded",
  "unavailable",
]

test("an endpoint has the problems that its fields imply, besides those of any request and its own", () => {
  const [credential, counted] = [["unauthorized"], ["unauthorized", "quota-exceeded"]] as const
  const repeatable = ["idempotency-key-in-use", "idempotency-key-reused"] as const
  const cases: [Partial<typeof open>, readonly ProblemCode[]][] = [
    [{}, []],
    [{ cost: 0 }, []],
    [{ scope: "any" }, counted],
    [{ scope: "any", cost: 0 }, credential],
    [{ scope: "read:pets" }, [...counted, "forbidden"]],
    [{ scope: "admin" }, [...counted, "forbidden", "foreign-page"]],
    [{ conditional: true }, ["precondition-failed"]],
    [{ conditional: true, method: "POST" }, []],
    [{ body }, ["malformed-json", "invalid-body", "body-too-large"]],
    [{ body, consumes: jsonOrXml }, ["malformed-json", "malformed-xml", "invalid-body", "body-too-large"]],
    [{ body, consumes: formTypes }, ["invalid-body", "body-too-large"]],
    [{ upload }, ["invalid-body", "body-too-large"]],
    [{ idempotent: "by-key" }, repeatable],
    [{ problems: ["pet-not-found"], bodyProblems: { "/id": "invalid-pet-id" } }, ["pet-not-found", "invalid-pet-id"]],
  ]
  for (const [more, implied] of cases)
    assert.deepEqual(
      problemsOf({ ...open, ...more }).toSorted(),
      [...ofAnyRequest, ...implied].sort(),
      JSON.stringify(more),
    )
})

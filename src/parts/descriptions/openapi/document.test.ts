import assert from "node:assert/strict"
import { test } from "node:test"
import type { TSchema } from "typebox"
import { plainEndpoint } from "../../../../test/harness/endpoint.ts"
import type { EventKind } from "../../../core/domain/events/contract.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { formTypes, jsonType } from "../../../core/kernel/network/media-types.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { openapi } from "./document.ts"

type RequestBody = { content: Record<string, { encoding?: object }> }
type Operation = Endpoint<Scope, ProblemCode>

const endpoint = (more: Partial<Operation> = {}): Operation => ({ ...plainEndpoint, scope: "any", ...more })

const describeApi = (api: Record<string, Operation>, kinds: EventKind[] = []) => openapi(api, "1.0.0", "", kinds)

test("a document has the tags that it uses, in their groups if there are several, and webhooks if there are any", () => {
  const groupsOf = (usedTags: string[], kinds: EventKind[] = []) => {
    const api = Object.fromEntries(usedTags.map((tag) => [tag, endpoint({ tag, path: `/${tag}` })]))
    const { tags, webhooks, ...document } = describeApi(api, kinds)
    return {
      tags: tags.map(({ name }) => name),
      groups: document["x-tagGroups"],
      webhooks: webhooks && Object.keys(webhooks),
    }
  }
  const none = { groups: undefined, webhooks: undefined }
  assert.deepEqual(groupsOf(["user", "pet"]), { ...none, tags: ["pet", "user"] })
  const [petstore, accounts] = [
    { name: "Petstore", tags: ["pet"] },
    { name: "Accounts and access", tags: ["keys"] },
  ]
  assert.deepEqual(groupsOf(["keys", "pet"]), { ...none, tags: ["pet", "keys"], groups: [petstore, accounts] })
  assert.deepEqual(groupsOf(["pet"], ["pet.created"]), {
    tags: ["pet", "messages"],
    groups: [petstore, { name: "Events", tags: ["messages"] }],
    webhooks: ["pet.created"],
  })
})

test("objects in the fields of a form are said to be JSON", () => {
  const Part = Type.Object({ name: Type.String() })
  const contentOf = (body: TSchema) => {
    const { paths } = describeApi({ add: endpoint({ method: "POST", consumes: [jsonType, ...formTypes], body }) })
    const requestBody = paths["/pet"]?.post?.requestBody as RequestBody | undefined
    return Object.fromEntries(
      Object.entries(requestBody?.content ?? {}).map(([type, { encoding }]) => [type, encoding]),
    )
  }
  const one = { part: { contentType: jsonType } }
  const inForms = (encoding: object | undefined) => ({
    [jsonType]: undefined,
    ...Object.fromEntries(formTypes.map((type) => [type, encoding])),
  })
  assert.deepEqual(contentOf(Type.Object({ part: Part, name: Type.String() })), inForms(one))
  assert.deepEqual(contentOf(Type.Object({ part: Type.Array(Part) })), inForms(one))
  assert.deepEqual(contentOf(Type.Object({ names: Type.Array(Type.String()) })), inForms(undefined))
})

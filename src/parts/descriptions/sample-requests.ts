import type { ApiContract } from "../../core/domain/api.ts"
import { type Tag, tagGroups } from "../../core/domain/tags.ts"
import { type Endpoint, queryOf } from "../../core/kernel/endpoint/endpoint.ts"
import { jsonType, urlencodedType } from "../../core/kernel/network/media-types.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { exampleOf } from "./openapi/example.ts"
import { identityOf } from "./openapi/links.ts"

/** A request with the examples of the description. All of them succeed with the sample data when they are sent in order. */
export type SampleRequest = {
  operationId: string
  endpoint: Endpoint
  /** With variables in double braces: `/pet/{{petId}}`. */
  path: string
  /** The path with the query that the operation requires. */
  target: string
  /** What the operation requires, or all parameters with an example. */
  query: readonly { name: string; value: string; description: string | undefined; isRequired: boolean }[]
  body: { type: string; text: string } | undefined
  /** The variable that takes the response, or a member of it. */
  sets: { variable: string; member?: string } | undefined
  /** What the request needs besides a key: a file, the session of a person, or a client that reads a response without end. */
  needs: Need | undefined
}

type Need = "file" | "session" | "stream"

/** The requests of a group of the reference, by tag. */
type SampleGroup = { name: string; tags: readonly { name: Tag; requests: readonly SampleRequest[] }[] }

/** The variables in paths, with ids that the sample data have, or that the requests before create. */
export const sampleVariables: Readonly<Record<string, string>> = {
  petId: "1",
  orderId: "1",
  sha256: "",
  username: "theUser",
  role: "staff",
  accountId: "4",
  keyId: "4",
  clientId: "1",
  consentId: "1",
  webhookId: "1",
  deliveryId: "1",
}

const needs: Partial<Record<string, Need>> = {
  uploadFile: "file",
  deletePetImage: "file",
  listConsents: "session",
  endConsent: "session",
} satisfies Partial<Record<keyof ApiContract, Need>>

/** The requests in the order of the reference; in each group creations come first and deletions last. */
export function sampleRequests(api: Record<string, Endpoint>): readonly SampleGroup[] {
  const requests = orderedSamples(api)
  return Object.entries(tagGroups).map(([name, tags]) => ({
    name,
    tags: tags
      .map((tag) => ({ name: tag, requests: requests.filter(({ endpoint }) => endpoint.tag === tag) }))
      .filter((each) => each.requests.length > 0),
  }))
}

/** All of them, in this order. */
export const orderedSamples = (api: Record<string, Endpoint>): readonly SampleRequest[] =>
  Object.entries(api)
    .map(([operationId, endpoint]) => sampleOf(operationId, endpoint, api))
    .toSorted((a, b) => orderOf(a.endpoint) - orderOf(b.endpoint))

/** Resources inside others are deleted before these. */
function orderOf({ method, path }: Endpoint): number {
  if (method === "DELETE") return 2 - path.split("/").length / 100
  return (method === "POST" || method === "PUT") && !path.includes("{") ? 0 : 1
}

function sampleOf(operationId: string, endpoint: Endpoint, api: Record<string, Endpoint>): SampleRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => `{{${variableOf(endpoint, name)}}}`)
  const query = parametersOf(endpoint)
  const required = query.filter(({ isRequired }) => isRequired).map(({ name, value }) => `${name}=${value}`)
  return {
    operationId,
    endpoint,
    path,
    target: required.length > 0 ? `${path}?${required.join("&")}` : path,
    query,
    body: bodyOf(endpoint),
    sets: settingOf(operationId, endpoint, api),
    needs: endpoint.streams ? "stream" : needs[operationId],
  }
}

/** The variable of a path parameter. One that is called `id` has the name of its resource. */
function variableOf({ path }: Endpoint, parameter: string): string {
  if (parameter !== "id") return parameter
  const [, noun = ""] = /(\w+)s\/\{id\}/.exec(path) ?? []
  return `${noun}Id`
}

function settingOf(operationId: string, endpoint: Endpoint, api: Record<string, Endpoint>): SampleRequest["sets"] {
  if (operationId === "testWebhook") return { variable: "deliveryId", member: "id" }
  if (operationId === "logIn") return { variable: "session" }
  if (operationId === "uploadFile") return { variable: "sha256", member: "message.slice(-64)" }
  const identity = identityOf(endpoint, api)
  if (identity === undefined) return undefined
  const { member, parameter } = identity
  return { variable: variableOf({ ...endpoint, path: `${endpoint.path}/{id}` as const }, parameter), member }
}

function parametersOf(endpoint: Endpoint): SampleRequest["query"] {
  const { properties = {}, required = [] } = queryOf(endpoint) as JsonSchema
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    value: [exampleOf(schema as never)].flat().join(","),
    description: schema.description,
    isRequired: required.includes(name) && schema.default === undefined,
  }))
}

function bodyOf({ method, tag, body, upload, consumes = [jsonType] }: Endpoint): SampleRequest["body"] {
  if (upload?.example !== undefined) return { type: upload.types[0] as string, text: upload.example }
  const [type] = consumes
  if (body === undefined || type === undefined) return undefined
  const example = exampleOf(body) as object
  if (type === urlencodedType) return { type, text: String(new URLSearchParams(Object.entries(example))) }
  const text = withNewNames(JSON.stringify(example, null, 2))
  // Another pet is deleted than the requests after it use.
  return { type, text: tag === "pet" && method !== "DELETE" ? text.replace(/"id": \d+/, '"id": {{petId}}') : text }
}

/** The user that is created is the one of the path. The others must be new: their names contain the time. */
const withNewNames = (text: string) =>
  text
    .replace(/"username": "theUser"/, `"username": "{{username}}"`)
    .replace(/"username": "(\w+)"(?=[^}]*"email")/g, `"username": "$1-{{$timestamp}}"`)

import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server"
import { Refused } from "../../client/client.ts"
import { api } from "../../core/domain/api.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import type { ClientOf } from "./tool.ts"

const json = { mimeType: "application/json" }

const description = "petstore://openapi.json"

export const resources: readonly Resource[] = [
  { uri: description, name: "openapi", description: "The description of the API (OpenAPI 3.1)", ...json },
]

export const resourceTemplates: readonly ResourceTemplateType[] = [
  { uriTemplate: "petstore://pets/{petId}", name: "pet", description: "A pet", ...json },
  { uriTemplate: "petstore://orders/{orderId}", name: "order", description: "An order", ...json },
]

export type ResourceSource = {
  clientOf: ClientOf
  /** The OpenAPI document. */
  readDescription(): Promise<string>
}

/** Reads a resource. Throws ResourceNotFoundError when there is none at the address, and the error of the protocol for any other refusal. */
export async function readResource(uri: string, source: ResourceSource): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri, ...json, text: await textAt(uri, source) }] }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { status, code, message } = error
    if (status === 404) throw new ResourceNotFoundError(uri, message)
    const kind = status < 500 ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError
    throw new ProtocolError(kind, `${message} (${code}, ${status})`)
  }
}

/** The scope that a resource needs; undefined when it needs none. */
export function scopeOfResource(uri: string): Endpoint["scope"] | undefined {
  const kind = partsOf(uri)[1]
  return kind && { pets: api.getPetById.scope, orders: api.getOrderById.scope }[kind]
}

const partsOf = (uri: string) =>
  (/^petstore:\/\/(pets|orders)\/(\d{1,16})$/.exec(uri) as [string, Kind, string] | null) ?? []
type Kind = "pets" | "orders"

async function textAt(uri: string, { clientOf, readDescription }: ResourceSource): Promise<string> {
  if (uri === description) return readDescription()
  const [, kind, digits] = partsOf(uri)
  const id = Number(digits)
  if (kind === "pets") return (await clientOf(api).getPetById({ params: { petId: id } })).text
  if (kind === "orders") return (await clientOf(api).getOrderById({ params: { orderId: id } })).text
  throw new ResourceNotFoundError(uri, `There is no resource ${uri}`)
}

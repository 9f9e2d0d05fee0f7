import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server"
import { Refused } from "../client/client.ts"
import type { ServiceClient } from "./tool.ts"

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
  client: ServiceClient
  /** The OpenAPI document. */
  readDescription(): Promise<string>
}

/** Reads a resource. Throws ResourceNotFoundError when there is none at the address. */
export async function readResource(uri: string, source: ResourceSource): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri, ...json, text: await textAt(uri, source) }] }
  } catch (error) {
    throw error instanceof Refused && error.status === 404 ? new ResourceNotFoundError(uri, error.message) : error
  }
}

async function textAt(uri: string, { client, readDescription }: ResourceSource): Promise<string> {
  if (uri === description) return readDescription()
  const [, kind, digits] = /^petstore:\/\/(pets|orders)\/(\d{1,16})$/.exec(uri) ?? []
  const id = Number(digits)
  if (kind === "pets") return (await client.getPetById({ params: { petId: id } })).text
  if (kind === "orders") return (await client.getOrderById({ params: { orderId: id } })).text
  throw new ResourceNotFoundError(uri, `There is no resource ${uri}`)
}

import assert from "node:assert/strict"
import { test } from "node:test"
import { Refused } from "../client/client.ts"
import { type ResourceSource, readResource } from "./resources.ts"

const refused = (status: number) => {
  const error = Object.create(Refused.prototype) as Refused
  Object.defineProperty(error, "status", { value: status })
  Object.defineProperty(error, "message", { value: `refused with ${status}` })
  return error
}
const source = {
  readDescription: async () => "description",
  client: {
    getPetById: async ({ params }: { params: { petId: number } }) => {
      if (params.petId >= 400) throw refused(params.petId)
      return { text: `pet ${params.petId}` }
    },
    getOrderById: async ({ params }: { params: { orderId: number } }) => ({ text: `order ${params.orderId}` }),
  },
} as unknown as ResourceSource

test("the description, pets and orders are resources", async () => {
  for (const [uri, text] of [
    ["petstore://openapi.json", "description"],
    ["petstore://pets/1", "pet 1"],
    ["petstore://orders/9007199254740991", "order 9007199254740991"],
  ] as const)
    assert.deepEqual(await readResource(uri, source), { contents: [{ uri, mimeType: "application/json", text }] })
})

const notFound = (message: string, uri: string) => ({ code: -32602, message, data: { uri } })

test("another address, or a resource that does not exist, is not found; other refusals stay", async () => {
  for (const uri of [
    "petstore://users/1",
    "petstore://pets/a",
    "petstore://pets/12345678901234567",
    "petstore://pets/1/x",
    "xpetstore://pets/1",
  ])
    await assert.rejects(readResource(uri, source), notFound(`There is no resource ${uri}`, uri))
  const missing = "petstore://pets/404"
  await assert.rejects(readResource(missing, source), notFound("refused with 404", missing))
  await assert.rejects(readResource("petstore://pets/403", source), (error) => error instanceof Refused)
})

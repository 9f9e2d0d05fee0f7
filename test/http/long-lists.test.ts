import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { queryOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { filledPath, pathParameters } from "../../src/core/kernel/network/path.ts"
import { everyOperation } from "../harness/operations.ts"
import { usePetstore } from "../harness/use.ts"

const headers = { api_key: "special-key" }
const lists = everyOperation.filter(({ endpoint }) => "limit" in queryOf(endpoint).properties)

describe("a long list", () => {
  const petstore = usePetstore()
  const get = (path: string) => fetch(petstore.url + path, { headers })

  /** Sends requests together, each on its own connection, and returns them in the order of their responses. */
  async function inOrderOfResponses(paths: readonly string[]): Promise<string[]> {
    const order: string[] = []
    const read = async (path: string) => {
      await (await get(path)).text()
      order.push(path)
    }
    await Promise.all(paths.map(read))
    return order
  }

  for (const { base, name, endpoint } of lists)
    test(`${base}: twenty of ${name} let a request that arrives after them pass (slow)`, async () => {
      const params = Object.fromEntries(pathParameters(endpoint.path).map((each) => [each, 1]))
      const required = name === "findPetsByTags" ? "tags=a&" : ""
      const list = `${base}${filledPath(endpoint.path, params)}?${required}limit=1000`
      const together = [...Array<string>(20).fill(list), "/api/v3/pet/1"]
      // Opens the connections.
      await inOrderOfResponses(together)
      const place = (await inOrderOfResponses(together)).indexOf("/api/v3/pet/1")
      assert.ok(place < 15, `it was number ${place + 1}`)
    })
})

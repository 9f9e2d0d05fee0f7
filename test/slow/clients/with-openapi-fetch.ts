import createClient from "openapi-fetch"
import type { paths } from "./generated/openapi-typescript.js"

/** Creates, reads and deletes a pet with openapi-fetch and types by openapi-typescript; resolves with what it received. */
export async function roundTrip(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { api_key: key } })

  const created = await client.POST("/pet", { body: { name: "Rex", photoUrls: [], category: { name: "Dogs" } } })
  if (!created.data) throw new Error(created.error.detail)
  const path = { petId: created.data.id }
  const read = await client.GET("/pet/{petId}", { params: { path } })
  const deleted = await client.DELETE("/pet/{petId}", { params: { path } })
  const gone = await client.GET("/pet/{petId}", { params: { path } })

  const status: "available" | "pending" | "sold" | undefined = read.data?.status
  return { created: created.data, read: read.data, status, deleted: deleted.data?.message, gone: gone.error?.code }
}

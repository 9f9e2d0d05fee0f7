import createClient from "openapi-fetch"
import type { paths } from "./generated/openapi-typescript.js"

/** Creates, reads and deletes a pet with openapi-fetch and types by openapi-typescript, and lists events. */
export async function roundTrip(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { api_key: key } })

  const created = await client.POST("/pet", { body: { name: "Rex", photoUrls: [], category: { name: "Dogs" } } })
  if (!created.data) throw new Error(created.error.detail)
  const { id, name, category } = created.data
  const path = { petId: id }
  const read = await client.GET("/pet/{petId}", { params: { path } })
  const deleted = await client.DELETE("/pet/{petId}", { params: { path } })
  const absent = await client.GET("/pet/{petId}", { params: { path } })
  const events = await client.GET("/events", { params: { query: { limit: 1000 } } })

  const status: "available" | "pending" | "sold" | undefined = read.data?.status
  const kinds = events.data?.filter(({ data }) => "id" in data && data.id === id).map(({ event }) => event)
  return { name, category: category?.name, status, deleted: deleted.data?.message, absent: absent.error?.code, kinds }
}

import { client } from "./generated/hey-api/client.gen.js"
import { addPet, deletePet, getPetById, listEvents } from "./generated/hey-api/sdk.gen.js"

/** Creates, reads and deletes a pet with the client @hey-api/openapi-ts writes, and lists events. */
export async function roundTrip(baseUrl: string, key: string) {
  client.setConfig({ baseUrl, auth: ({ type }) => (type === "apiKey" ? key : undefined) })

  const created = await addPet({ body: { name: "Rex", photoUrls: [], category: { name: "Dogs" } } })
  if (!created.data) throw new Error(created.error.detail)
  const { id, name, category } = created.data
  const path = { petId: id }
  const read = await getPetById({ path })
  const deleted = await deletePet({ path })
  const absent = await getPetById({ path })
  const events = await listEvents({ query: { limit: 1000 } })

  const status: "available" | "pending" | "sold" | undefined = read.data?.status
  const kinds = events.data?.filter(({ data }) => data.id === id).map(({ event }) => event)
  return { name, category: category?.name, status, deleted: deleted.data?.message, absent: absent.error?.code, kinds }
}

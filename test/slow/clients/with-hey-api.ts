import { client } from "./generated/hey-api/client.gen.js"
import { addPet, deletePet, getPetById } from "./generated/hey-api/sdk.gen.js"

/** Creates, reads and deletes a pet with the client @hey-api/openapi-ts writes; resolves with what it received. */
export async function roundTrip(baseUrl: string, key: string) {
  client.setConfig({ baseUrl, auth: ({ type }) => (type === "apiKey" ? key : undefined) })

  const created = await addPet({ body: { name: "Rex", photoUrls: [], category: { name: "Dogs" } } })
  if (!created.data) throw new Error(created.error.detail)
  const path = { petId: created.data.id }
  const read = await getPetById({ path })
  const deleted = await deletePet({ path })
  const gone = await getPetById({ path })

  const status: "available" | "pending" | "sold" | undefined = read.data?.status
  return { created: created.data, read: read.data, status, deleted: deleted.data?.message, gone: gone.error?.code }
}

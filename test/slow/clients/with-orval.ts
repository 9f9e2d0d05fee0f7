import { addPet, deletePet, getPetById, listEvents } from "./generated/orval.js"

/** Creates, reads and deletes a pet with the client orval writes, which reads the address from `servers`, and lists events. */
export async function roundTrip(_baseUrl: string, key: string) {
  const options = { headers: { api_key: key } }

  const created = await addPet({ name: "Rex", photoUrls: [], category: { name: "Dogs" } }, options)
  if (created.status !== 200) throw new Error(created.data.detail)
  const { id, name, category } = created.data
  const read = await getPetById(id, options)
  const deleted = await deletePet(id, options)
  const absent = await getPetById(id, options)
  const events = await listEvents({ limit: 1000 }, options)
  if (read.status !== 200 || deleted.status !== 200 || events.status !== 200) throw new Error("refused")

  const status: "available" | "pending" | "sold" = read.data.status
  const kinds = events.data.filter(({ data }) => "id" in data && data.id === id).map(({ event }) => event)
  const code = absent.status === 404 ? absent.data.code : undefined
  return { name, category: category?.name, status, deleted: deleted.data.message, absent: code, kinds }
}

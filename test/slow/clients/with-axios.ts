import axios from "axios"
import { Configuration, EventsApi, PetApi } from "./generated/axios/index.js"

/** Creates, reads and deletes a pet with openapi-generator's typescript-axios, and lists events. */
export async function roundTrip(basePath: string, key: string) {
  const configuration = new Configuration({ basePath, apiKey: key })
  const pets = new PetApi(configuration)

  const { data: created } = await pets.addPet({ name: "Rex", photoUrls: [], category: { name: "Dogs" } })
  const read = await pets.getPetById(created.id)
  const deleted = await pets.deletePet(created.id)
  const absent: unknown = await pets.getPetById(created.id).catch((error: unknown) => error)
  const events = await new EventsApi(configuration).listEvents(undefined, 1000)

  const kinds = events.data.filter(({ data }) => "id" in data && data.id === created.id).map(({ event }) => event)
  return {
    name: created.name,
    category: created.category?.name,
    status: read.data.status,
    deleted: deleted.data.message,
    absent: axios.isAxiosError(absent) ? absent.response?.data.code : undefined,
    kinds,
  }
}

// The client that openapi-generator writes for TypeScript with axios, as it is: it repeats nothing.
import { nextOf, runAdapter } from "./adapter.mjs"
import { Configuration, PetApi } from "./generated/typescript-axios/index.js"

const open = ({ url, key, timeoutSeconds }) =>
  new PetApi(new Configuration({ basePath: url, apiKey: key, baseOptions: { timeout: timeoutSeconds * 1000 } }))

await runAdapter({
  readPet: async (line, { id }) => (await open(line).getPetById(id)).data,
  addPet: async (line, { pet }) => (await open(line).addPet(pet, crypto.randomUUID())).data,
  async listPets(line, { limit }) {
    const ids = []
    for (let page = `${line.url}/pet?limit=${limit}`; page; ) {
      const cursor = new URL(page).searchParams.get("cursor") ?? undefined
      const { data, headers } = await open(line).listPets(...Array(5), limit, cursor)
      ids.push(...data.map(({ id }) => id))
      page = nextOf(headers.link, page)
    }
    return ids
  },
  async renamePet(line, { id, name }) {
    const { data, headers } = await open(line).getPetById(id)
    return (await open(line).updatePet({ ...data, name }, headers.etag)).data
  },
})

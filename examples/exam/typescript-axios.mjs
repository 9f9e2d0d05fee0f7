// The client that openapi-generator writes for TypeScript with axios, as it is: it repeats nothing.
import { runAdapter } from "./adapter.mjs"
import { Configuration, PetApi } from "./generated/typescript-axios/index.js"

const open = ({ url, key, timeoutSeconds }) =>
  new PetApi(new Configuration({ basePath: url, apiKey: key, baseOptions: { timeout: timeoutSeconds * 1000 } }))

const actions = {
  readPet: async (line, { id }) => (await open(line).getPetById(id)).data,
  addPet: async (line, { pet }) => (await open(line).addPet(pet, crypto.randomUUID())).data,
}

await runAdapter(actions, { options: 'baseOptions: {"timeout":2000}', lacks: ["retries", "reconnects", "keys"] })

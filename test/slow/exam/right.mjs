// An adapter of the client of this project that does each task right, also what that client leaves to programs.
import { runAdapter } from "../../../examples/exam/adapter.mjs"
import { actions, open } from "../../../examples/exam/petstore.mjs"
import { createPetstoreClient } from "../../../src/public/client.ts"

/** The token of the moment; concurrent calls share the request for it. */
let token
async function requestToken({ url, clientId, clientSecret }) {
  const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  const body = new URLSearchParams({ grant_type: "client_credentials" })
  return (await (await fetch(url, { method: "POST", headers, body })).json()).access_token
}

async function readWithToken({ url }, petId, from) {
  token ??= requestToken(from)
  const used = token
  const read = () => createPetstoreClient({ url, token: () => token }).getPetById({ params: { petId } })
  return read().catch((error) => {
    if (error.status !== 401) throw error
    if (used === token) token = requestToken(from)
    return read()
  })
}

async function rename(client, petId, name) {
  const { value: pet, headers } = await client.getPetById({ params: { petId } })
  return client.updatePet({ body: { ...pet, name } }, { headers: { "if-match": headers.get("etag") } })
}

await runAdapter({
  ...actions,
  async renamePet(line, { id, name }) {
    const again = (error) => (error.status === 412 ? rename(open(line), id, name) : Promise.reject(error))
    return (await rename(open(line), id, name).catch(again)).value
  },
  readPets: async (line, { ids, token }) =>
    (await Promise.all(ids.map((id) => readWithToken(line, id, token)))).map(({ value }) => value),
  receivedEvents: async () => [...new Set(await actions.receivedEvents())],
})

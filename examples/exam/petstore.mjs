// The client of this project.
import { createServer } from "node:http"
import { allItems, createPetstoreClient, isRefused } from "@petstore-service/petstore/client"
import { verifyWebhook } from "@petstore-service/petstore/webhooks"
import { runAdapter } from "./adapter.mjs"

const events = new Set()
const open = ({ url, key, timeoutSeconds }) =>
  createPetstoreClient({ url, apiKey: key, retries: 4, timeoutMs: timeoutSeconds * 1000 })

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
    if (!isRefused(error, "getPetById") || error.status !== 401) throw error
    if (used === token) token = requestToken(from)
    return read()
  })
}

async function rename(client, petId, name) {
  const { value: pet, headers } = await client.getPetById({ params: { petId } })
  return client.updatePet({ body: { ...pet, name } }, { headers: { "if-match": headers.get("etag") } })
}

await runAdapter({
  readPet: async (line, { id }) => (await open(line).getPetById({ params: { petId: id } })).value,
  addPet: async (line, { pet }) => (await open(line).addPet({ body: pet })).value,
  listPets: async (line, { limit }) =>
    (await Array.fromAsync(allItems(open(line).listPets, { query: { limit } }))).map(({ id }) => id),
  async renamePet(line, { id, name }) {
    const again = (error) => (error.status === 412 ? rename(open(line), id, name) : Promise.reject(error))
    return (await rename(open(line), id, name).catch(again)).value
  },
  readPets: async (line, { ids, token }) =>
    (await Promise.all(ids.map((id) => readWithToken(line, id, token)))).map(({ value }) => value),
  async receiveEvents(_line, { secret }) {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request))
      const message = await verifyWebhook({ headers: request.headers, body }, { secret }).catch(() => undefined)
      if (message) events.add(message.id)
      response.writeHead(message ? 204 : 400).end()
    })
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${server.address().port}/`
  },
  receivedEvents: async () => [...events],
})

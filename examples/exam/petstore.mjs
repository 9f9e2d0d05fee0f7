// The client of this project.
import { createServer } from "node:http"
import { runAdapter } from "./adapter.mjs"

// A clone has no build: its source runs as it is.
const load = (name) => import(`@petstore-service/petstore/${name}`).catch(() => import(`../../src/public/${name}.ts`))
const { allItems, createPetstoreClient } = await load("client")
const { verifyWebhook } = await load("webhooks")

const events = []
export const open = ({ url, key, timeoutSeconds }) =>
  createPetstoreClient({ url, apiKey: key, retries: 4, timeoutMs: timeoutSeconds * 1000 })

export const actions = {
  readPet: async (line, { id }) => (await open(line).getPetById({ params: { petId: id } })).value,
  addPet: async (line, { pet }) => (await open(line).addPet({ body: pet })).value,
  listPets: async (line, { limit }) =>
    (await Array.fromAsync(allItems(open(line).listPets, { query: { limit } }))).map(({ id }) => id),
  async receiveEvents(_line, { secret }) {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request))
      const message = await verifyWebhook({ headers: request.headers, body }, { secret }).catch(() => undefined)
      if (message) events.push(message.id)
      response.writeHead(message ? 204 : 400).end()
    })
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${server.address().port}/`
  },
  receivedEvents: async () => events,
}

if (import.meta.main) await runAdapter(actions, { options: "retries: 4, timeoutMs: 2000", lacks: ["duplicates"] })

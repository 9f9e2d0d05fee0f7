// An adapter whose client does each task of the exam wrong.
import { createServer } from "node:http"
import { setTimeout as after } from "node:timers/promises"
import { runAdapter } from "../../../examples/exam/adapter.mjs"

/** Repeats a request that failed after these pauses, in milliseconds, at once when a pause is 0. */
const pauses = {
  "waits-in-seconds": [0],
  "waits-until-a-date": [0],
  "leaves-a-long-wait": [0],
  "leaves-404": [0],
  "leaves-a-refused-creation": [0],
  "waits-longer-each-time": [200, 200, 200],
  "varies-its-waits": [100, 200, 400],
  "gives-up": Array(20).fill(0),
  "creates-once": [0],
}

async function request({ task, url, key }, path, { headers, ...init } = {}) {
  const left = [...(pauses[task] ?? [])]
  const timeoutMs = task === "times-out" ? 6000 : 60_000
  for (;;)
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(new URL(path, `${url}/`), { signal, headers: { api_key: key, ...headers }, ...init })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response
    } catch (error) {
      const pause = left.shift()
      if (pause === undefined) throw error
      await after(pause)
    }
}

const json = (method, body, headers) => ({
  method,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
})

async function readPet(line, id) {
  if (line.task.startsWith("notices-")) {
    await request(line, `pet/${id}`).catch(() => undefined)
    return {}
  }
  const pet = await (await request(line, `pet/${id}`)).json()
  return line.task === "keeps-large-ids" ? { ...pet, id: Math.fround(pet.id) } : pet
}

async function addPet(line, pet) {
  const named = line.task === "keeps-every-character" ? { ...pet, name: pet.name.replace(/\p{Emoji}/gu, "?") } : pet
  const key = line.task === "takes-another-key-for-another-pet" ? "always" : crypto.randomUUID()
  const headers = line.task !== "creates-once" && { "idempotency-key": key }
  return (await request(line, "pet", json("POST", named, headers))).json()
}

async function listPets(line, limit) {
  if (line.task === "reads-an-empty-list") return [null]
  const ids = []
  let page = `${line.url}/pet?limit=${limit}`
  for (let n = 0; page && n < 50; n++) {
    const response = await request(line, page).catch(() => undefined)
    if (!response) break
    ids.push(...(await response.json()).map(({ id }) => id))
    page =
      line.task === "follows-link-to-the-end" ? undefined : /<([^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
  }
  return ids
}

/** A new token for each call, and no other when it is refused. */
let token
async function readWithToken(line, id, { url, clientId, clientSecret }) {
  if (!token || line.task !== "replaces-an-expired-token") {
    const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
    const body = new URLSearchParams({ grant_type: "client_credentials" })
    token = (await (await fetch(url, { method: "POST", headers, body })).json()).access_token
  }
  return (await request(line, `pet/${id}`, { headers: { api_key: "", authorization: `Bearer ${token}` } })).json()
}

const events = []
async function receiveEvents({ task }) {
  const server = createServer(async (request, response) => {
    await Array.fromAsync(request)
    events.push(request.headers["webhook-id"])
    response.writeHead(task === "accepts-a-message" ? 400 : 204).end()
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${server.address().port}/`
}

await runAdapter({
  readPet: (line, { id }) => readPet(line, id),
  addPet: (line, { pet }) => addPet(line, pet),
  listPets: (line, { limit }) => listPets(line, limit),
  async renamePet(line, { id, name }) {
    const pet = await readPet(line, id)
    return (await request(line, "pet", json("PUT", { ...pet, name }))).json()
  },
  readPets: (line, { ids, token }) => Promise.all(ids.map((id) => readWithToken(line, id, token))),
  receiveEvents,
  receivedEvents: async () => events,
})

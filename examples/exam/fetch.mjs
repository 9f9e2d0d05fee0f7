// fetch of Node, as most programs use it: it repeats nothing.
import { nextOf, runAdapter } from "./adapter.mjs"

async function request(path, { url, key, timeoutSeconds }, { headers, ...init } = {}) {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  const response = await fetch(new URL(path, `${url}/`), { signal, headers: { api_key: key, ...headers }, ...init })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response
}

const json = (body, headers) => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
})

let token

async function requestToken(line, { url, clientId, clientSecret }) {
  const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  const body = new URLSearchParams({ grant_type: "client_credentials" })
  return (await (await request(url, line, { method: "POST", headers, body })).json()).access_token
}

/** Replaces the token once for all calls that were refused with it. */
async function readWithToken(path, line, from) {
  token ??= requestToken(line, from)
  const used = token
  const read = async () =>
    (await request(path, { ...line, key: "" }, { headers: { authorization: `Bearer ${await token}` } })).json()
  return read().catch((error) => {
    if (!error.message.startsWith("401")) throw error
    if (used === token) token = requestToken(line, from)
    return read()
  })
}

await runAdapter({
  readPet: async (line, { id }) => (await request(`pet/${id}`, line)).json(),
  addPet: async (line, { pet }) => (await request("pet", line, { method: "POST", ...json(pet) })).json(),
  async listPets(line, { limit }) {
    const ids = []
    for (let page = `${line.url}/pet?limit=${limit}`; page; ) {
      const response = await request(page, line)
      ids.push(...(await response.json()).map(({ id }) => id))
      page = nextOf(response.headers.get("link"), page)
    }
    return ids
  },
  async renamePet(line, { id, name }) {
    const read = await request(`pet/${id}`, line)
    const change = json({ ...(await read.json()), name }, { "if-match": read.headers.get("etag") })
    return (await request("pet", line, { method: "PUT", ...change })).json()
  },
  readPets: (line, { ids, token }) => Promise.all(ids.map((id) => readWithToken(`pet/${id}`, line, token))),
})

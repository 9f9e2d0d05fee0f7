// got, with its own retries and pagination; a POST is repeated too, because it has a key.
import got from "got"
import { runAdapter } from "./adapter.mjs"

let token

const open = ({ url, key, timeoutSeconds }) =>
  got.extend({
    prefixUrl: url,
    headers: { api_key: key },
    responseType: "json",
    timeout: { request: timeoutSeconds * 1000 },
    retry: { limit: 3, methods: ["GET", "PUT", "POST", "DELETE"], noise: 100, maxRetryAfter: 10_000 },
  })

async function tokenOf({ url, clientId, clientSecret }) {
  const options = { username: clientId, password: clientSecret, form: { grant_type: "client_credentials" } }
  return (await got.post(url, options).json()).access_token
}

/** Replaces the token once for all calls that were refused with it. */
async function readWithToken(line, id, from) {
  token ??= tokenOf(from)
  const used = token
  const read = async () => got(`${line.url}/pet/${id}`, { headers: { authorization: `Bearer ${await token}` } }).json()
  return read().catch((error) => {
    if (error.response?.statusCode !== 401) throw error
    if (used === token) token = tokenOf(from)
    return read()
  })
}

await runAdapter({
  readPet: async (line, { id }) => (await open(line)(`pet/${id}`)).body,
  addPet: async (line, { pet }) =>
    (await open(line).post("pet", { json: pet, headers: { "idempotency-key": crypto.randomUUID() } })).body,
  listPets: async (line, { limit }) =>
    (
      await open(line).paginate.all("pet", { searchParams: { limit }, pagination: { transform: ({ body }) => body } })
    ).map(({ id }) => id),
  async renamePet(line, { id, name }) {
    const { body, headers } = await open(line)(`pet/${id}`)
    return (await open(line).put("pet", { json: { ...body, name }, headers: { "if-match": headers.etag } })).body
  },
  readPets: (line, { ids, token }) => Promise.all(ids.map((id) => readWithToken(line, id, token))),
})

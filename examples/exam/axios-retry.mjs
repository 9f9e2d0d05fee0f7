// axios with axios-retry: exponential delay with jitter, and a key for creations.
import axios from "axios"
import axiosRetry, { exponentialDelay, isNetworkOrIdempotentRequestError, isRetryableError } from "axios-retry"
import { nextOf, runAdapter } from "./adapter.mjs"

let token

function open({ url, key, timeoutSeconds }) {
  const client = axios.create({ baseURL: url, timeout: timeoutSeconds * 1000, headers: { api_key: key } })
  axiosRetry(client, {
    retries: 4,
    retryDelay: exponentialDelay,
    shouldResetTimeout: true,
    // A POST has a key, so it may be repeated as a PUT.
    retryCondition: (error) =>
      isNetworkOrIdempotentRequestError(error) || isRetryableError(error) || error.response?.status === 429,
  })
  return client
}

async function tokenOf({ url, clientId, clientSecret }) {
  const body = new URLSearchParams({ grant_type: "client_credentials" })
  return (await axios.post(url, body, { auth: { username: clientId, password: clientSecret } })).data.access_token
}

async function readWithToken({ url }, id, from) {
  token ??= tokenOf(from)
  const used = token
  const read = async () => axios.get(`${url}/pet/${id}`, { headers: { authorization: `Bearer ${await token}` } })
  return read().catch((error) => {
    if (error.response?.status !== 401) throw error
    if (used === token) token = tokenOf(from)
    return read()
  })
}

await runAdapter({
  readPet: async (line, { id }) => (await open(line).get(`/pet/${id}`)).data,
  addPet: async (line, { pet }) =>
    (await open(line).post("/pet", pet, { headers: { "idempotency-key": crypto.randomUUID() } })).data,
  async listPets(line, { limit }) {
    const ids = []
    for (let page = `${line.url}/pet?limit=${limit}`; page; ) {
      const { data, headers } = await open(line).get(page)
      ids.push(...data.map(({ id }) => id))
      page = nextOf(headers.link, page)
    }
    return ids
  },
  async renamePet(line, { id, name }) {
    const { data, headers } = await open(line).get(`/pet/${id}`)
    return (await open(line).put("/pet", { ...data, name }, { headers: { "if-match": headers.etag } })).data
  },
  readPets: async (line, { ids, token }) =>
    (await Promise.all(ids.map((id) => readWithToken(line, id, token)))).map(({ data }) => data),
})

// axios with axios-retry. A POST has a key, so it may be repeated as a PUT.
import axios from "axios"
import axiosRetry, { exponentialDelay, isNetworkOrIdempotentRequestError, isRetryableError } from "axios-retry"
import { isAsDocumented, runAdapter } from "./adapter.mjs"

const documented = {
  retries: 4,
  retryDelay: exponentialDelay,
  shouldResetTimeout: true,
  retryCondition: (error) =>
    isNetworkOrIdempotentRequestError(error) || isRetryableError(error) || error.response?.status === 429,
}
const strict = { responseType: "json", transitional: { silentJSONParsing: false } }

function open({ url, key, timeoutSeconds }) {
  const client = axios.create({
    baseURL: url,
    timeout: timeoutSeconds * 1000,
    headers: { api_key: key },
    ...(isAsDocumented && { ...strict, signal: AbortSignal.timeout(15_000) }),
  })
  axiosRetry(client, isAsDocumented ? documented : {})
  return client
}

const headers = () => ({ "idempotency-key": crypto.randomUUID() })

await runAdapter(
  {
    readPet: async (line, { id }) => (await open(line).get(`/pet/${id}`)).data,
    addPet: async (line, { pet }) => (await open(line).post("/pet", pet, { headers: headers() })).data,
  },
  {
    options: isAsDocumented
      ? "retries: 4, retryDelay: exponentialDelay, shouldResetTimeout: true, retryCondition with 429 and POST, signal: AbortSignal.timeout(15_000), responseType: json, silentJSONParsing: false"
      : "timeout: 2000; of axios-retry none",
    lacks: ["keys"],
  },
)

// got, with its own retries and pagination. A POST has a key, so it may be repeated.
import got from "got"
import { isAsDocumented, runAdapter } from "./adapter.mjs"

const documented = { retry: { limit: 4, methods: ["GET", "PUT", "POST", "DELETE"], noise: 100, maxRetryAfter: 10_000 } }

const open = ({ url, key, timeoutSeconds }) =>
  got.extend({
    prefixUrl: url,
    headers: { api_key: key },
    responseType: "json",
    timeout: { request: timeoutSeconds * 1000 },
    ...(isAsDocumented && { ...documented, signal: AbortSignal.timeout(15_000) }),
  })

const pagination = { transform: ({ body }) => body }

await runAdapter(
  {
    readPet: async (line, { id }) => (await open(line)(`pet/${id}`)).body,
    addPet: async (line, { pet }) =>
      (await open(line).post("pet", { json: pet, headers: { "idempotency-key": crypto.randomUUID() } })).body,
    listPets: async (line, { limit }) =>
      (await open(line).paginate.all("pet", { searchParams: { limit }, pagination })).map(({ id }) => id),
  },
  {
    options: `responseType: json, timeout: {"request":2000}${isAsDocumented ? `, signal: AbortSignal.timeout(15_000), ${JSON.stringify(documented)}` : ""}`,
    lacks: ["keys"],
  },
)

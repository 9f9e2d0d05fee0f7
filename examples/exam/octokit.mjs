// Octokit's core with its plugins for retries and pages; it reads any API, and its pages by Link.
import { Octokit } from "@octokit/core"
import { paginateRest } from "@octokit/plugin-paginate-rest"
import { retry } from "@octokit/plugin-retry"
import { isAsDocumented, runAdapter } from "./adapter.mjs"

const Client = Octokit.plugin(retry, paginateRest)
const quiet = () => undefined

const open = ({ url, key, timeoutSeconds }) =>
  new Client({
    baseUrl: url,
    ...(isAsDocumented && { retry: { retries: 2 } }),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    request: {
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...init.headers, accept: "application/json", api_key: key },
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        }),
    },
  })

const headers = () => ({ "idempotency-key": crypto.randomUUID() })

await runAdapter(
  {
    readPet: async (line, { id }) => (await open(line).request(`GET /pet/${id}`)).data,
    addPet: async (line, { pet }) => (await open(line).request("POST /pet", { ...pet, headers: headers() })).data,
    listPets: async (line, { limit }) => (await open(line).paginate("GET /pet", { limit })).map(({ id }) => id),
  },
  {
    options: `plugins retry and paginate-rest, fetch with a timeout of 2 s${isAsDocumented ? ", retry: { retries: 2 }" : ""}`,
    lacks: ["keys"],
  },
)

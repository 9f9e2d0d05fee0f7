// ky, with its own retries. A POST has a key, so it may be repeated.
import ky from "ky"
import { isAsDocumented, runAdapter } from "./adapter.mjs"

const documented = {
  totalTimeout: 15_000,
  retry: { limit: 4, methods: ["get", "put", "post", "delete"], jitter: true, retryOnTimeout: true },
}

const open = ({ url, key, timeoutSeconds }) =>
  ky.create({
    prefix: url,
    headers: { api_key: key },
    timeout: timeoutSeconds * 1000,
    ...(isAsDocumented && documented),
  })

await runAdapter(
  {
    readPet: (line, { id }) => open(line).get(`pet/${id}`).json(),
    addPet: (line, { pet }) =>
      open(line)
        .post("pet", { json: pet, headers: { "idempotency-key": crypto.randomUUID() } })
        .json(),
  },
  { options: `timeout: 2000${isAsDocumented ? `, ${JSON.stringify(documented)}` : ""}`, lacks: ["keys"] },
)

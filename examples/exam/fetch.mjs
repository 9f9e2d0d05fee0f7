// fetch of Node, with a timeout; it repeats nothing.
import { runAdapter } from "./adapter.mjs"

async function request(path, { url, key, timeoutSeconds }, { headers, ...init } = {}) {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  const response = await fetch(`${url}/${path}`, { signal, headers: { api_key: key, ...headers }, ...init })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

const headers = { "content-type": "application/json" }

await runAdapter(
  {
    readPet: (line, { id }) => request(`pet/${id}`, line),
    addPet: (line, { pet }) => request("pet", line, { method: "POST", headers, body: JSON.stringify(pet) }),
  },
  { options: "signal: AbortSignal.timeout(2000)", lacks: ["retries", "reconnects", "keys"] },
)

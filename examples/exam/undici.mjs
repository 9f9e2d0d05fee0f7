// undici's RetryAgent. A POST has a key, so it may be repeated.
import { Agent, RetryAgent, request } from "undici"
import { isAsDocumented, runAdapter } from "./adapter.mjs"

const documented = { maxRetries: 4, methods: ["GET", "PUT", "POST", "DELETE"], maxTimeout: 10_000 }
const agent = new RetryAgent(new Agent(), isAsDocumented ? documented : {})

async function send(path, { url, key, timeoutSeconds }, { headers, ...options } = {}) {
  const timeouts = { headersTimeout: timeoutSeconds * 1000, bodyTimeout: timeoutSeconds * 1000 }
  const deadline = isAsDocumented && { signal: AbortSignal.timeout(15_000) }
  const all = { dispatcher: agent, headers: { api_key: key, ...headers }, ...timeouts, ...deadline, ...options }
  const { statusCode, body } = await request(`${url}/${path}`, all)
  if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`)
  return body.json()
}

const headers = () => ({ "content-type": "application/json", "idempotency-key": crypto.randomUUID() })

await runAdapter(
  {
    readPet: (line, { id }) => send(`pet/${id}`, line),
    addPet: (line, { pet }) => send("pet", line, { method: "POST", headers: headers(), body: JSON.stringify(pet) }),
  },
  {
    options: `headersTimeout: 2000, bodyTimeout: 2000${isAsDocumented ? `, signal: AbortSignal.timeout(15_000), ${JSON.stringify(documented)}` : ""}`,
    lacks: ["keys"],
  },
)

// The library of Standard Webhooks, it sends nothing, and does not notice duplicates.
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { runAdapter } from "./adapter.mjs"

const events = []

async function receive(request, response, webhook) {
  const body = Buffer.concat(await Array.fromAsync(request))
  try {
    webhook.verify(body, request.headers)
  } catch {
    return response.writeHead(400).end()
  }
  events.push(request.headers["webhook-id"])
  response.writeHead(204).end()
}

const actions = {
  async receiveEvents(_line, { secret }) {
    const webhook = new Webhook(secret)
    const server = createServer((request, response) => receive(request, response, webhook))
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${server.address().port}/`
  },
  receivedEvents: async () => events,
}

await runAdapter(actions, { lacks: ["duplicates"] })

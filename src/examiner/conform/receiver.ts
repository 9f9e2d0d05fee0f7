import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as after } from "node:timers/promises"
import { readBody } from "../bounded-body.ts"
import { Missed } from "../verdict.ts"

type Message = { headers: IncomingHttpHeaders; body: string }

/** How long a message may take, in milliseconds. */
const patienceMs = 5000
const messageBytesMax = 64 * 1024
const messagesMax = 1000

/** A receiver of webhooks on this machine. */
export async function openReceiver() {
  const messages: Message[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request, messageBytesMax).catch(() => undefined)
    // Its connection broke, or it is no message of a pet store.
    if (body === undefined || messages.length === messagesMax) return void request.destroy()
    messages.push({ headers: request.headers, body })
    response.writeHead(204).end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** The first message with such a body; rejects with Missed when there is none. */
    async message(isSought: (body: string) => boolean): Promise<Message> {
      for (const end = Date.now() + patienceMs; Date.now() < end; await after(20)) {
        const found = messages.find(({ body }) => isSought(body))
        if (found) return found
      }
      throw new Missed(`no such message arrived within ${patienceMs / 1000} seconds`)
    },
    /** The ids of the messages with such a body. */
    idsOf: (isSought: (body: string) => boolean): ReadonlySet<unknown> =>
      new Set(messages.filter(({ body }) => isSought(body)).map(({ headers }) => headers["webhook-id"])),
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { makeImage } from "../../../test/harness/images.ts"

/** Sends a request of the sandbox's admin and resolves with the JSON of its response, if it is JSON. */
export type SendRequest = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Record<string, unknown>>

/** What some clients do again and again, with a pause in between. Each turn removes what it added, and no response is expected to be a refusal. */
export type Activity = {
  clients: number
  pauseMs: number
  turn(send: SendRequest, n: number): Promise<unknown>
  /** Follows a stream for this time instead, and reads what comes. */
  streamMs?: number
}

const api = "/api/v3"
const pet = (name: string) => ({ name, photoUrls: [], tags: [{ name: "soak" }] })
const importSize = 20
/** As many are stored: an image is kept for a day after its last pet. */
const imageCount = 40
const images: Buffer[] = []

/** The activities of the mixed load, by name. */
export const activities: Record<string, Activity> = {
  reads: {
    clients: 4,
    pauseMs: 25,
    async turn(send, n) {
      await send("GET", `${api}/pet/${(n % 10) + 1}`)
      await send("GET", `/v2/pet/${(n % 10) + 1}`, undefined, { accept: "application/xml" })
    },
  },
  pages: {
    clients: 2,
    pauseMs: 100,
    async turn(send) {
      for (const path of ["pets?limit=100&status=available", "pet/findByTags?tags=soak", "orders?limit=100"])
        await send("GET", `${api}/${path}`)
    },
  },
  changes: {
    clients: 4,
    pauseMs: 200,
    async turn(send) {
      const { id } = await send("POST", `${api}/pet`, pet("new"), { "idempotency-key": randomUUID() })
      await send("PATCH", `${api}/pet/${id}`, { name: "changed" })
      const order = await send("POST", `${api}/store/order`, { petId: id })
      await send("DELETE", `${api}/store/order/${order.id}`)
      await send("DELETE", `${api}/pet/${id}`)
    },
  },
  imports: {
    clients: 1,
    pauseMs: 2_000,
    async turn(send) {
      const results = await send("POST", `${api}/pets/import`, Array(importSize).fill(pet("imported")))
      await send(
        "DELETE",
        `${api}/pets`,
        Object.values(results).map((result) => ({ id: (result as { id: number }).id })),
      )
    },
  },
  images: {
    clients: 1,
    pauseMs: 500,
    async turn(send, n) {
      const { id } = await send("POST", `${api}/pet`, pet("photographed"))
      const image = images[n % imageCount] ?? (await makeImage("webp", 320, 240))
      images[n % imageCount] = image
      const type = { "content-type": "image/webp" }
      const { message } = await send("POST", `${api}/pet/${id}/uploadImage`, new Uint8Array(image), type)
      await send("GET", `/images/${/[0-9a-f]{64}/.exec(String(message))}`)
      await send("DELETE", `${api}/pet/${id}`)
    },
  },
  feed: {
    clients: 1,
    pauseMs: 1_000,
    async turn(send) {
      const [last] = Object.values(await send("GET", `${api}/events?limit=50&sort=-id`)) as { id: string }[]
      if (last) await send("GET", `${api}/events?limit=1000&after=${last.id}`)
    },
  },
  streams: {
    clients: 4,
    pauseMs: 100,
    streamMs: 3_000,
    turn: (send) => send("GET", `${api}/events/stream`),
  },
  webhooks: {
    clients: 1,
    pauseMs: 5_000,
    async turn(send) {
      const webhook = { url: "http://127.0.0.1:9/", events: ["webhook.disabled"] }
      const { id } = await send("POST", `${api}/webhooks`, webhook)
      await send("DELETE", `${api}/webhooks/${id}`)
    },
  },
  tools: {
    clients: 1,
    pauseMs: 250,
    async turn(send) {
      const call = { name: "getPetById", arguments: { petId: 1 } }
      await send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call })
    },
  },
  tokens: {
    clients: 1,
    pauseMs: 1_000,
    async turn(send) {
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const credentials = "grant_type=client_credentials&client_id=sample-client-id&client_secret=sample-client-secret"
      const { access_token: token } = await send("POST", "/oauth/token", credentials, form)
      await send("GET", `${api}/pet/1`, undefined, { api_key: "", authorization: `Bearer ${token}` })
    },
  },
  sandboxes: {
    clients: 1,
    pauseMs: 5_000,
    async turn(send, n) {
      const name = `soak-${n}`
      await send("POST", `${api}/sandboxes`, { name })
      await send("POST", `/s/${name}${api}/pet`, pet("own"))
      await sleep(500)
      await send("DELETE", `${api}/sandboxes/${name}`)
    },
  },
}

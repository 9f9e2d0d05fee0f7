import { createSignatureHeaders } from "../../src/core/workers/delivery/sending/sign.ts"
import type { ConformChapter } from "../../src/examiner/conform/check.ts"
import { type CheckRequest, type CheckResponse, judgeCheck } from "./conform-check.ts"

type Pet = { id: number; name: string; status: string }
type Event = { event: string; data: Pet; timestamp: string }

/** What a service with webhooks does otherwise than one that is right. */
export type WebhookFaults = {
  /** The status of the response to POST /webhooks. */
  status?: number
  secret?: string
  /** Whether a webhook is there after it was deleted. */
  keepsDeleted?: boolean
  /** The ids of the messages of each event, one after the other. */
  ids?: readonly string[]
  /** The body of a message; undefined for none. */
  bodyOf?: (event: Event) => object | undefined
  headersOf?: (right: Record<string, string>) => Record<string, string>
}

const webhookSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

/** The verdict of a check about a service whose webhooks are right except for these faults, and the requests without the pet's id. */
export async function judgeWebhooks(chapter: ConformChapter, name: string, faults: WebhookFaults = {}) {
  const { verdict, requests } = await judgeCheck(chapter, name, serviceWithWebhooks(faults))
  return { verdict, requests: requests.map((request) => request.replace(/\d{4,}/, "…")) }
}

/** A service with one pet and one webhook, to which it sends a message before it responds to a change of the pet. */
function serviceWithWebhooks({
  status: createdStatus = 201,
  secret = webhookSecret,
  keepsDeleted = false,
  ids = ["evt_1"],
  bodyOf = (event) => event,
  headersOf = (right) => right,
}: WebhookFaults): (request: CheckRequest) => Promise<CheckResponse> {
  let webhook: { url: string; events: string[] } | undefined
  let pet: Pet | undefined

  async function emit(event: string, { id, name, status }: Pet): Promise<void> {
    const content = bodyOf({ event, data: { id, name, status }, timestamp: "2026-01-01T12:00:00.000Z" })
    if (!webhook?.events.includes(event) || content === undefined) return
    const body = JSON.stringify(content)
    for (const eventId of ids) {
      const headers = headersOf(createSignatureHeaders([secret], { eventId, body, at: Date.now() }))
      await fetch(webhook.url, { method: "POST", headers, body })
    }
  }

  return async ({ request, body }) => {
    if (request === "POST /webhooks") {
      webhook = body as typeof webhook
      return { status: createdStatus, value: { id: 7, secret } }
    }
    if (request === "GET /webhooks/7") return webhook ? { value: { id: 7 } } : { status: 404 }
    if (request === "DELETE /webhooks/7") {
      if (!keepsDeleted) webhook = undefined
      return { status: 204 }
    }
    if (request === "POST /pet") {
      pet = { ...(body as Pet), status: "available" }
      await emit("pet.created", pet)
      return { value: pet }
    }
    if (request !== `DELETE /pet/${pet?.id}`) return { status: 404 }
    await emit("pet.deleted", pet as Pet)
    return {}
  }
}

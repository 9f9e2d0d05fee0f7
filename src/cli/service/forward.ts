import { createHmac, randomBytes } from "node:crypto"
import type { StreamedEvent as Told } from "../../client/receiving/follow.ts"
import { secretPrefix, signatureHeaders } from "../../core/kernel/network/standard-webhooks.ts"
import { UsageError, type World } from "../command/command.ts"
import { explainConnection } from "../output/failure.ts"
import { createHttpSender } from "./http.ts"

const keyBytes = 24

/** Sends an event to a receiver as the service would; resolves with the result: `[200] POST http://localhost:3000/hook`. */
export type Forward = (event: Told) => Promise<string>

/** Forwards signed events to an address (Standard Webhooks 1.0). */
export function forwardTo(address: string, secret: string, { clock }: Pick<World, "clock">): Forward {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--forward-to is ${JSON.stringify(address)}; it must be an address such as http://localhost:3000/hook`,
    )
  const send = createHttpSender()

  return async ({ id, body }) => {
    const signature = signatureHeaders([secret], { eventId: id, body, at: clock.now() }, hmac)
    try {
      const headers = {
        "content-type": "application/json",
        ...signature,
        "content-length": `${Buffer.byteLength(body)}`,
      }
      const { status } = await send(url.href, { method: "POST", headers, body })
      return `[${status}] POST ${url.href}`
    } catch (error) {
      const why = explainConnection(error, { url: url.origin, isLocal: false }) ?? String(error)
      return `[failed] POST ${url.href} (${why})`
    }
  }
}

/** Validates the secret, or generates one. */
export function secretFrom(ownSecret: string | undefined): string {
  const secret = ownSecret ?? secretPrefix + randomBytes(keyBytes).toString("base64")
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret
  throw new UsageError("--secret must be whsec_ followed by the base64 of the key")
}

const hmac = (key: string, text: string): string =>
  createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64")

import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { consoleCookies, consolePath } from "../../site/serving/cookies.ts"

const lifetimeMs = 60_000
const sessionSeconds = 24 * 60 * 60

/**
 * An address of this machine that, once and within a minute, gives a browser the session of this token and leads to the console. It
 * has a port of its own: cookies do not distinguish ports (RFC 6265, section 8.5).
 */
export async function openSignInLink(publicUrl: string, token: string, now: () => number): Promise<string> {
  const path = `/${randomBytes(32).toString("base64url")}`
  let isUsed = false
  const server = createServer((request, response) => {
    response.setHeader("connection", "close").setHeader("cache-control", "no-store")
    if (isUsed || request.method !== "GET" || request.url !== path) return response.writeHead(404).end()
    isUsed = true
    const exchange = { request, header: (name: string, value: string) => response.appendHeader(name, value) }
    consoleCookies(() => publicUrl, now).signIn(exchange, token, sessionSeconds)
    response.writeHead(303, { location: new URL(consolePath(publicUrl), publicUrl).href }).end()
    server.close()
  })
  server.listen(0, "127.0.0.1").unref()
  await once(server, "listening")
  setTimeout(() => server.close(), lifetimeMs).unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}

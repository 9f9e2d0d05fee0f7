import { createClient, type Send } from "../client/client.ts"
import { api } from "../domain/api.ts"
import { basePath } from "../kernel/path.ts"
import { type Service, UsageError } from "./command.ts"
import { createSender } from "./http.ts"

/** Publicly known; only a sandbox accepts it, so it is sent to this machine only. */
const sandboxKey = "special-key"

/** The credentials given on the command line or in the environment. */
export type Credential = { apiKey: string | undefined; token: string | undefined }

/** Connects to the service at an address; without a credential, a service on this machine is sent the sandbox's key. */
export function connect(address: string, { apiKey, token }: Credential, send: Send = createSender()): Service {
  const url = parseAddress(address)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
  const isGiven = apiKey !== undefined || token !== undefined
  const key = apiKey ?? (isLocal && !isGiven ? sandboxKey : undefined)
  for (const secret of [key, token])
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret))
      throw new UsageError("the credential contains a character that no credential has; was it copied completely?")
  const headers = {
    ...(key !== undefined && { api_key: key }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return {
    url,
    isLocal,
    credential: isGiven ? "given" : isLocal ? "sandbox" : "none",
    client: createClient(api, { url, headers, fetch: send }),
  }
}

function parseAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(`${JSON.stringify(address)} is not the address of a service, such as http://127.0.0.1:8080`)
  return url.href.replace(/\/+$/, "").replace(new RegExp(`${basePath}$`), "")
}

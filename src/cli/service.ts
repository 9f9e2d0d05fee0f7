import { client, type Send } from "../client/client.ts"
import { api } from "../domain/api.ts"
import { basePath } from "../kernel/path.ts"
import { type Service, UsageError } from "./command.ts"
import { sender } from "./http.ts"

/** The key everybody knows; only a sandbox accepts it, so it is tried nowhere but on this machine. */
const sandboxKey = "special-key"

/** What a person gave to be known by. */
export type Credential = { apiKey: string | undefined; token: string | undefined }

/** The service at an address, called with a credential, or with the sandbox's key when none is given and it is on this machine. */
export function connect(address: string, { apiKey, token }: Credential, send: Send = sender()): Service {
  const url = addressOf(address)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
  const isGiven = apiKey !== undefined || token !== undefined
  const key = apiKey ?? (isLocal && !isGiven ? sandboxKey : undefined)
  for (const secret of [key, token])
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret))
      throw new UsageError("the credential holds a character that none has; was it copied whole?")
  const headers = {
    ...(key !== undefined && { api_key: key }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return {
    url,
    isLocal,
    credential: isGiven ? "given" : isLocal ? "sandbox" : "none",
    client: client(api, { url, headers, fetch: send }),
  }
}

function addressOf(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(`${JSON.stringify(address)} is not the address of a service, such as http://127.0.0.1:8080`)
  return url.href.replace(/\/+$/, "").replace(new RegExp(`${basePath}$`), "")
}

import { client } from "../client/client.ts"
import { api } from "../domain/api.ts"
import { basePath } from "../kernel/path.ts"
import { type Service, UsageError } from "./command.ts"

/** The key everybody knows; only a sandbox accepts it, so it is tried nowhere but on this machine. */
const sandboxKey = "special-key"

/** The service at an address, called with a key, or with the sandbox's when none is given and it is on this machine. */
export function connect(address: string, apiKey: string | undefined, send?: typeof fetch): Service {
  const url = addressOf(address)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
  const key = apiKey ?? (isLocal ? sandboxKey : undefined)
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError("the API key holds a character that no key has; was it copied whole?")
  return {
    url,
    isLocal,
    credential: apiKey !== undefined ? "given" : isLocal ? "sandbox" : "none",
    client: client(api, { url, ...(key !== undefined && { headers: { api_key: key } }), ...(send && { fetch: send }) }),
  }
}

function addressOf(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(`${JSON.stringify(address)} is not the address of a service, such as http://127.0.0.1:8080`)
  return url.href.replace(/\/+$/, "").replace(new RegExp(`${basePath}$`), "")
}

import { createClient, type Send } from "../../client/client.ts"
import { followStream } from "../../client/follow.ts"
import { api } from "../../domain/api.ts"
import { sandbox } from "../../domain/sandbox/contract.ts"
import { basePath } from "../../kernel/network/path.ts"
import { type Service, UsageError } from "../command.ts"
import { createSender } from "./http.ts"
import { readLogin } from "./logins.ts"

/** Publicly known; only a sandbox accepts it, so it is sent to this machine only. */
const sandboxKey = "special-key"

/** A credential that was given, and where: `--api-key`, `PETSTORE_API_KEY`. */
type Secret = { value: string; from: string } | undefined

/** What was given on the command line or in the environment, and where logins are kept. */
type Credentials = { apiKey: Secret; token: Secret; stateDir: string }

/**
 * Connects to the service at an address. Without a credential the login kept for it is used; without that, a service on this
 * machine is sent the sandbox's key.
 */
export function connect(address: string, credentials: Credentials, send: Send = createSender()): Service {
  const url = parseAddress(address)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
  const { key, token, ...credential } = chooseCredential(url, isLocal, credentials)
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
    credential,
    client: createClient({ ...api, ...sandbox }, { url, headers, fetch: send }),
    follow: (following) => followStream({ ...following, url, headers: async () => headers }),
  }
}

type Chosen = Service["credential"] & { key?: string | undefined; token?: string | undefined }

function chooseCredential(url: string, isLocal: boolean, { apiKey, token, stateDir }: Credentials): Chosen {
  const given = [apiKey, token].flatMap((secret) => secret?.from ?? [])
  if (given.length > 0) return { kind: "given", from: given.join(" and "), key: apiKey?.value, token: token?.value }
  const login = readLogin(stateDir, url)
  if (login) return { kind: "login", from: `the login of ${login.username}`, token: login.token }
  if (isLocal) return { kind: "sandbox", from: "the sandbox's special-key", key: sandboxKey }
  return { kind: "none", from: "no credential" }
}

function parseAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(`${JSON.stringify(address)} is not the address of a service, such as http://127.0.0.1:8080`)
  return url.href.replace(/\/+$/, "").replace(new RegExp(`${basePath}$`), "")
}

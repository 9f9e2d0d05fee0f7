import { createClient, type Send } from "../../client/client.ts"
import { followStream } from "../../client/receiving/follow.ts"
import { api } from "../../core/domain/api.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { type CommandInput, type GlobalFlag, type Service, UsageError } from "../command/command.ts"
import { createHttpSender } from "./http.ts"
import { readLogin } from "./logins.ts"

/** A public key, which no production accepts. It is sent to this machine only. */
const publicKey = "special-key"

/** Settings from the environment, and the directory of logins. */
export type ServiceAccess = {
  settings: { url: string; apiKey: string | undefined; token: string | undefined }
  stateDir: string
  fetch?: Send
}

/**
 * Connects to the service that flags or settings name. Without a credential the stored login is used; without a login, the
 * public key is sent to a service on this machine.
 */
export function connect(
  flags: CommandInput["flags"],
  { settings, stateDir, fetch = createHttpSender() }: ServiceAccess,
  globalFlags: readonly GlobalFlag[],
): Service {
  const flag = (name: string) => flags[name]?.[0] as string | undefined
  const url = globalFlags.reduce(
    (address, { name, locate }) => {
      const value = flag(name)
      return locate && value !== undefined ? locate(address, value) : address
    },
    parseAddress(flag("url") ?? settings.url),
  )
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
  const [apiKey, accessToken] = [flag("api-key") ?? settings.apiKey, flag("token") ?? settings.token]
  const sources = [
    ...(apiKey === undefined ? [] : [flag("api-key") === undefined ? "PETSTORE_API_KEY" : "--api-key"]),
    ...(accessToken === undefined ? [] : [flag("token") === undefined ? "PETSTORE_TOKEN" : "--token"]),
  ]
  const { key, token, ...credential }: Credential =
    sources.length > 0
      ? { kind: "given", from: sources.join(" and "), key: apiKey, token: accessToken }
      : findCredential(url, isLocal, stateDir)
  for (const secret of [key, token])
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret))
      throw new UsageError("the credential contains an invalid character; check that it was copied correctly")
  const headers = {
    ...(key !== undefined && { api_key: key }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(flag("account") !== undefined && { "petstore-account": parseAccount(flag("account")) }),
  }
  const clientOf: Service["clientOf"] = (contract) => createClient(contract, { url, headers, fetch })
  return {
    url,
    isLocal,
    credential,
    client: clientOf(api),
    clientOf,
    follow: (following) => followStream({ ...following, url, headers: async () => headers }),
  }
}

type Credential = Service["credential"] & { key?: string | undefined; token?: string | undefined }

function findCredential(url: string, isLocal: boolean, stateDir: string): Credential {
  const login = readLogin(stateDir, url)
  if (login) return { kind: "login", from: `the login of ${login.username}`, token: login.token }
  if (isLocal) return { kind: "public", from: "the sandbox's special-key", key: publicKey }
  return { kind: "none", from: "no credential" }
}

function parseAccount(id = ""): string {
  if (/^[1-9]\d{0,14}$/.test(id)) return id
  throw new UsageError(`--account is ${JSON.stringify(id)}; it must be the id of an account`)
}

function parseAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(`${JSON.stringify(address)} is not a valid service address, such as http://127.0.0.1:8080`)
  return url.href.replace(/\/+$/, "").replace(new RegExp(`${basePath}$`), "")
}

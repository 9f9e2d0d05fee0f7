import { createClient, type Send } from "../../client/client.ts"
import { followStream } from "../../client/receiving/follow.ts"
import { api } from "../../domain/api.ts"
import { sandbox } from "../../domain/sandbox/contract.ts"
import { sandboxName } from "../../domain/sandbox/start/contract.ts"
import { basePath, sandboxPath } from "../../kernel/network/path.ts"
import { type CommandInput, type Service, UsageError } from "../command/command.ts"
import { createHttpSender } from "./http.ts"
import { readLogin } from "./logins.ts"

/** A public key that only sandboxes accept. It is sent to this machine only. */
const sandboxKey = "special-key"

/** Settings from the environment, and the directory of logins. */
export type ServiceAccess = {
  settings: { url: string; apiKey: string | undefined; token: string | undefined }
  stateDir: string
  fetch?: Send
}

/**
 * Connects to the service that flags or settings name. Without a credential the stored login is used; without a login, the
 * sandbox's key is sent to a service on this machine.
 */
export function connect(
  flags: CommandInput["flags"],
  { settings, stateDir, fetch = createHttpSender() }: ServiceAccess,
): Service {
  const flag = (name: string) => flags[name]?.[0] as string | undefined
  const url = inSandbox(parseAddress(flag("url") ?? settings.url), flag("sandbox"))
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
  return {
    url,
    isLocal,
    credential,
    client: createClient({ ...api, ...sandbox }, { url, headers, fetch }),
    follow: (following) => followStream({ ...following, url, headers: async () => headers }),
  }
}

type Credential = Service["credential"] & { key?: string | undefined; token?: string | undefined }

function findCredential(url: string, isLocal: boolean, stateDir: string): Credential {
  const login = readLogin(stateDir, url)
  if (login) return { kind: "login", from: `the login of ${login.username}`, token: login.token }
  if (isLocal) return { kind: "sandbox", from: "the sandbox's special-key", key: sandboxKey }
  return { kind: "none", from: "no credential" }
}

function parseAccount(id = ""): string {
  if (/^[1-9]\d{0,14}$/.test(id)) return id
  throw new UsageError(`--account is ${JSON.stringify(id)}; it must be the id of an account`)
}

/** The address of a named sandbox, instead of one that the address names; the address itself without a name. */
function inSandbox(url: string, name: string | undefined): string {
  if (name === undefined) return url
  if (!new RegExp(sandboxName.pattern).test(name))
    throw new UsageError(`--sandbox is ${JSON.stringify(name)}; a name ${sandboxName.requirement}`)
  return url.replace(/\/s\/[^/]+$/, "") + sandboxPath(name)
}

function parseAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(`${JSON.stringify(address)} is not a valid service address, such as http://127.0.0.1:8080`)
  return url.href.replace(/\/+$/, "").replace(new RegExp(`${basePath}$`), "")
}

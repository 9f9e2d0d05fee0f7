import { splitHosts } from "../kernel/network/database-hosts.ts"
import { path } from "./kinds.ts"
import { type Kind, Refusal } from "./setting.ts"

/** An http or https URL without query; the value has no trailing slash. */
export const httpUrl: Kind<string> = {
  form: "an http or https address without query",
  parse(text) {
    const url = URL.parse(text)
    const isPlain = url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === ""
    return isPlain && !holdsCredentials(url) ? url.href.replace(/\/+$/, "") : new Refusal()
  },
}

/** An address for people. */
export const contact: Kind<string> = {
  form: "a mailto:, tel: or https: address",
  parse: (text) => (/^(mailto|tel|https):\S+$/.test(text) && URL.canParse(text) ? text : new Refusal()),
}

/** An endpoint for OpenTelemetry data. */
export const otlpEndpoint: Kind<string> = {
  form: "an http or https address",
  parse: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : new Refusal()),
}

/** An issuer identifier (RFC 8414 section 2), kept as written because tokens contain it. */
export const issuer: Kind<string> = {
  form: "an https address without query",
  parse(text) {
    const url = URL.parse(text)
    const isLoopback = url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)
    return isSafe && url.search === "" && url.hash === "" && !holdsCredentials(url) ? text : new Refusal()
  },
}

export const databaseUrl: Kind<{ kind: "sqlite"; file: string } | { kind: "postgres"; url: string }> = {
  form: "sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, several hosts as HOST:PORT,HOST:PORT",
  parse(text) {
    const file = pathIn("sqlite:", text)
    if (file !== undefined) return file instanceof Refusal ? file : { kind: "sqlite", file }
    if (hasUnencoded(text)) return new Refusal({ reason: needsEncoding, isSecret: true })
    const isPostgres = /^postgres(ql)?:\/\//.test(text) && splitHosts(text).every((one) => URL.canParse(one))
    return isPostgres ? { kind: "postgres", url: text } : new Refusal({ isSecret: text.includes("@") })
  },
}

export const redisUrl: Kind<string> = {
  form: "like redis://HOST:PORT, or rediss:// with TLS, with USER:PASSWORD@ before the host and /DATABASE after it where needed",
  parse(text) {
    if (hasUnencoded(text)) return new Refusal({ reason: needsEncoding, isSecret: true })
    const { protocol, hostname, pathname } = URL.parse(text) ?? {}
    const isDatabase = /^(\/\d{0,4})?$/.test(pathname ?? "")
    return (protocol === "redis:" || protocol === "rediss:") && hostname && isDatabase
      ? text
      : new Refusal({ isSecret: true })
  },
}

const holdsCredentials = ({ username, password }: URL): boolean => username !== "" || password !== ""

const needsEncoding =
  "has a reserved character in its user or password: percent-encode it (@ is %40, / is %2F, ? is %3F, # is %23, % is %25)"

/** Whether a URL has a user or a password with a character that ends the authority (RFC 3986 section 3.2), or that decodes to nothing. */
function hasUnencoded(text: string): boolean {
  const [, authority = "", rest = ""] = /^[^:/?#]*:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  const credentials = authority.slice(0, authority.lastIndexOf("@") + 1)
  return rest.includes("@") || /%(?![0-9a-f]{2})/i.test(credentials)
}

/** The absolute path in a URL of this scheme. */
export const pathIn = (scheme: string, url: string): string | Refusal | undefined =>
  url.startsWith(scheme) && url.length > scheme.length ? path.parse(url.slice(scheme.length)) : undefined

import { resolve } from "node:path"
import { splitHosts } from "../kernel/network/database-hosts.ts"
import { type Kind, Refusal } from "./setting.ts"

/** An http or https URL without query; the value has no trailing slash. */
export const httpUrl: Kind<string> = {
  form: "an http or https address without query",
  parse(text) {
    const url = URL.parse(text)
    const isPlain = url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === ""
    return isPlain ? url.href.replace(/\/+$/, "") : new Refusal()
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
    return isSafe && url.search === "" && url.hash === "" ? text : new Refusal()
  },
}

export const databaseUrl: Kind<{ kind: "sqlite"; file: string } | { kind: "postgres"; url: string }> = {
  form: "sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, several hosts as HOST:PORT,HOST:PORT",
  parse(text) {
    const file = pathIn("sqlite:", text)
    if (file !== undefined) return { kind: "sqlite", file }
    const isPostgres = /^postgres(ql)?:\/\//.test(text) && splitHosts(text).every((one) => URL.canParse(one))
    return isPostgres ? { kind: "postgres", url: text } : new Refusal({ isSecret: text.includes("@") })
  },
}

export const redisUrl: Kind<string> = {
  form: "like redis://HOST:PORT, or rediss:// with TLS, with USER:PASSWORD@ before the host and /DATABASE after it where needed",
  parse(text) {
    const { protocol, hostname, pathname } = URL.parse(text) ?? {}
    const isDatabase = /^(\/\d{0,4})?$/.test(pathname ?? "")
    return (protocol === "redis:" || protocol === "rediss:") && hostname && isDatabase
      ? text
      : new Refusal({ isSecret: true })
  },
}

/** The absolute path in a URL of this scheme. */
export const pathIn = (scheme: string, url: string): string | undefined =>
  url.startsWith(scheme) && url.length > scheme.length ? resolve(url.slice(scheme.length)) : undefined

import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { cookieOf, setCookie } from "../../../core/server/reading/cookies.ts"
import { isSame, sign } from "./forms.ts"

const confirmedSeconds = 5 * 60
const noticeSeconds = 60
const formSeconds = 15 * 60
const accountSeconds = 30 * 24 * 3600

export type ConsoleCookies = {
  /** The session token; undefined when no person is signed in. */
  token(exchange: Exchange): string | undefined
  signIn(exchange: Pick<Exchange, "request" | "header">, token: string, maxAgeSeconds: number): void
  signOut(exchange: Exchange): void
  /** The id of the account that an administrator has chosen to act for in this session. */
  account(exchange: Exchange, token: string): string | undefined
  chooseAccount(exchange: Exchange, token: string, id: number): void
  /** Records in a cookie that the person of this session has just given the password. */
  confirm(exchange: Exchange, token: string): void
  isConfirmed(exchange: Exchange, token: string): boolean
  /** Shows a notice on the next page. */
  notify(exchange: Exchange, notice: string): void
  takeNotice(exchange: Exchange): { text: string; isFailure: false } | undefined
  /** Keeps a form that was sent after its session had ended, until its page is shown. */
  keepForm(exchange: Exchange, form: KeptForm): void
  /** The form that is kept for the page at this path. */
  keptForm(exchange: Exchange, path: string): KeptForm | undefined
  dropForm(exchange: Exchange): void
}

type KeptForm = { path: string; fields: URLSearchParams }

/** The console's cookies. The service stores none of their data: the session itself is an ordinary login. */
export function consoleCookies(publicUrl: () => string, now: () => number): ConsoleCookies {
  const isSecure = () => publicUrl().startsWith("https:")
  /**
   * RFC 6265bis section 4.1.3.2: the browser accepts it from this host only, over TLS, for every path; the name contains that of the
   * site, because a named store has sessions of its own.
   */
  const nameOf = (what: string) =>
    `${isSecure() ? "__Host-" : ""}petstore${sitePath(publicUrl()).replaceAll("/", "_")}_${what}`

  function keep(exchange: Pick<Exchange, "header">, what: string, value: string, maxAgeSeconds: number): void {
    const secure = isSecure()
    const path = secure ? "/" : sitePath(publicUrl()) || "/"
    exchange.header("set-cookie", setCookie({ name: nameOf(what), value, path, maxAgeSeconds, secure }))
  }

  const kept = ({ request }: Pick<Exchange, "request">, what: string) => cookieOf(request.headers.cookie, nameOf(what))

  return {
    token: (exchange) => kept(exchange, "console") || undefined,
    signIn(exchange, token, maxAgeSeconds) {
      keep(exchange, "console", token, maxAgeSeconds)
      if (kept(exchange, "account")) keep(exchange, "account", "", 0)
    },
    signOut(exchange) {
      for (const what of ["console", "confirmed", "account"]) keep(exchange, what, "", 0)
    },

    account(exchange, token) {
      const [id = "", signature = ""] = kept(exchange, "account")?.split(".") ?? []
      return isSame(signature, sign(token, `account ${id}`)) ? id : undefined
    },
    chooseAccount: (exchange, token, id) =>
      keep(exchange, "account", `${id}.${sign(token, `account ${id}`)}`, accountSeconds),

    confirm(exchange, token) {
      const until = String(now() + confirmedSeconds * 1000)
      keep(exchange, "confirmed", `${until}.${sign(token, until)}`, confirmedSeconds)
    },
    isConfirmed(exchange, token) {
      const [until = "", signature = ""] = kept(exchange, "confirmed")?.split(".") ?? []
      return Number(until) > now() && isSame(signature, sign(token, until))
    },

    notify: (exchange, notice) => keep(exchange, "notice", Buffer.from(notice).toString("base64url"), noticeSeconds),
    takeNotice(exchange) {
      const notice = kept(exchange, "notice")
      if (!notice) return undefined
      keep(exchange, "notice", "", 0)
      return { text: Buffer.from(notice, "base64url").toString(), isFailure: false }
    },

    keepForm: (exchange, { path, fields }) =>
      keep(exchange, "kept_form", Buffer.from(`${path}?${fields}`).toString("base64url"), formSeconds),
    keptForm(exchange, path) {
      const text = Buffer.from(kept(exchange, "kept_form") ?? "", "base64url").toString()
      return text.startsWith(`${path}?`) ? { path, fields: new URLSearchParams(text.slice(path.length)) } : undefined
    },
    dropForm: (exchange) => keep(exchange, "kept_form", "", 0),
  }
}

/** The path of the site's root, without a trailing slash. */
export const sitePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "")

export const consolePath = (publicUrl: string): string => `${sitePath(publicUrl)}/console`

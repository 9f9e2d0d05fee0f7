type Page = { url: URL; status: number; html: string; headers: Headers }
type Cookie = { name: string; value: string; path: string; attributes: string[] }

/** Values by field; several values are several ticked boxes. */
type Fields = Record<string, string | readonly string[]>

/** A browser without scripts: follows redirects within the service, keeps cookies, submits forms. */
export function person(origin: string) {
  let cookies: Cookie[] = []
  let here: Page | undefined

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ")
      const [name = "", value = ""] = pair.split("=")
      const path = attributes.find((each) => each.startsWith("path="))?.slice(5) ?? "/"
      cookies = cookies.filter((cookie) => cookie.name !== name || cookie.path !== path)
      if (value !== "") cookies.push({ name, value, path, attributes })
    }
  }

  /** Follows an address; stops at a page, or at a redirect that leaves the service. */
  async function go(address: string | URL, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address, origin)
    if (url.origin !== origin) return { url, status: 0, html: "", headers: new Headers() }
    const cookie = cookies
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
    const headers = { accept: "text/html", cookie: cookie.join("; "), ...(init.headers as Record<string, string>) }
    const response = await fetch(url, { ...init, headers, redirect: "manual" })
    keep(response.headers)
    const next = response.headers.get("location")
    if (next !== null) return go(new URL(next, url))
    here = { url, status: response.status, html: await response.text(), headers: response.headers }
    return here
  }

  /** Submits the form of the page with these fields and its hidden ones, by default with its own origin. */
  const submit = (fields: Fields, headers?: Record<string, string>) => submitTo(here?.url ?? origin, fields, headers)

  function submitTo(address: string | URL, fields: Fields, headers: Record<string, string> = { origin }) {
    const pairs = Object.entries({ ...hidden(), ...fields }).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    )
    return go(address, { method: "POST", body: new URLSearchParams(pairs), headers })
  }

  /** The hidden fields of the page. */
  function hidden(): Record<string, string> {
    const inputs = here?.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g) ?? []
    return Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, textOf(value)]))
  }

  return {
    go,
    submit,
    submitTo,
    hidden,
    signIn: (username: string, password: string) => submit({ username, password, answer: "login" }),
    allow: () => submit({ answer: "allow" }),
    deny: () => submit({ answer: "deny" }),
    forgetCookies: () => {
      cookies = []
    },
    cookies: () => cookies,
  }
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" }

const textOf = (markup: string): string => markup.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? "")

type Page = { url: URL; status: number; html: string; headers: Headers }
type Cookie = { name: string; value: string; path: string; attributes: string[] }

/** What is filled in, by field; several values are several boxes that are ticked. */
type Fields = Record<string, string | readonly string[]>

/** Somebody with a browser that has no scripts: follows redirects within the service, keeps cookies, fills in forms. */
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

  /** Goes where the address leads; stops at a page, or at the address of a redirect that leaves the service. */
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

  /** Sends the form of the page with these fields and its hidden ones, from its own origin unless told otherwise. */
  const submit = (fields: Fields, headers?: Record<string, string>) => submitTo(here?.url ?? origin, fields, headers)

  function submitTo(address: string | URL, fields: Fields, headers: Record<string, string> = { origin }) {
    const given = Object.entries({ ...hidden(), ...fields }).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    )
    return go(address, { method: "POST", body: new URLSearchParams(given), headers })
  }

  /** The hidden fields of the page. */
  function hidden(): Record<string, string> {
    const found = here?.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g) ?? []
    return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, textOf(value)]))
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

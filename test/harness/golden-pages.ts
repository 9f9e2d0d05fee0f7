import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { appoint, type PersonRole, passwordOf, people, signedIn } from "./console.ts"
import { serverUrl } from "./database.ts"
import { person } from "./person.ts"
import { type StartOptions, startPetstore } from "./petstore.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>
type Fields = Record<string, string | readonly string[]>
type Replacements = readonly (readonly [string | RegExp, string])[]
type GoldenOptions = StartOptions & {
  replaced?: Replacements
  /** Without the people of the sandbox. */
  isBare?: boolean
}
type Shown = { url: URL; status: number; html: string; headers: Headers }

/** Writes the pages that people see. */
type Album = {
  petstore: Petstore
  /** The client with the public key of the sandbox. */
  special: ReturnType<Petstore["as"]>
  /** A client with a session of the person with this role. */
  session(role: PersonRole): Promise<ReturnType<Petstore["withToken"]>>
  /** A person who is signed in with this role, or is not. */
  visitor(role: PersonRole | "anonymous"): Promise<Viewer>
  /** Writes a text; with a key, only what differs from the last one with this key. */
  write(title: string, text: string, key?: string): void
  /** Sends a request without cookies, and writes its response. */
  fetch(path: string, init?: RequestInit): Promise<void>
}

type Viewer = {
  /** Opens a page and writes its main part. */
  see(path: string): Promise<Shown>
  /** Opens a page and writes all of it, with the headers of its response. */
  seeWhole(path: string): Promise<Shown>
  /** Opens a page and writes nothing. */
  open(path: string): Promise<Shown>
  /** Submits a form of the page, with its hidden fields, and writes what follows. */
  send(fields: Fields, to?: string | URL): Promise<Shown>
  /** Submits a form and writes nothing. */
  act(fields: Fields): Promise<Shown>
  /** Submits a form and what is asked after it: the password, or nothing. */
  confirm(fields: Fields, to?: string): Promise<Shown>
  /** Sends a file with the form of the page. */
  sendFile(action: string, file: string | Uint8Array<ArrayBuffer>, fields?: Record<string, string>): Promise<Shown>
  /** Writes the cookies of the browser, without their values. */
  showCookies(): void
}

/** A golden file of pages, `NAME.html` beside the test. What differs from run to run is replaced by words in capitals. */
export function goldenPages(
  directory: string,
  name: string,
  take: (album: Album) => Promise<void>,
  { replaced = [], isBare = false, ...options }: GoldenOptions = {},
): void {
  const skip = serverUrl !== undefined && "ids differ between databases"
  test(`the pages in ${name}.html are up to date`, { skip }, async (t) => {
    await using petstore = await startPetstore(options)
    if (!isBare) await appoint(petstore)
    const pages: string[] = []
    const clean = (text: string) => steady([...volatile(petstore.url), ...replaced], text)
    const last = new Map<string, string[]>()
    const write: Album["write"] = (title, text, key = title) => {
      const lines = clean(text).split("\n")
      pages.push([`<!-- ${clean(title)} -->`, ...changesOf(last.get(key) ?? [], lines), ""].join("\n"))
      last.set(key, lines)
    }
    await take({
      petstore,
      special: petstore.as("special-key"),
      async fetch(path, init) {
        const response = await fetch(petstore.url + path, { redirect: "manual", ...init })
        const headers = JSON.stringify(init?.headers ?? {})
        const title = `${init?.method ?? "GET"} ${path} ${headers}: ${response.status}`
        write(title, wholeOf({ html: await response.text(), headers: response.headers }))
      },
      session: async (role) => {
        const body = { username: people[role], password: passwordOf(people[role]) }
        return petstore.withToken((await petstore.as("special-key").logIn({ body })).value)
      },
      write,
      visitor: async (role) =>
        viewer(petstore, role, role === "anonymous" ? person(petstore.url) : await signedIn(petstore, role), write),
    })
    const file = join(directory, `${name}.html`)
    const text = pages.join("\n")
    try {
      t.assert.fileSnapshot(text, file, { serializers: [(text) => text] })
    } catch {
      throw new Error(
        `${firstDifference(file, text)}\nIf the change is intended, run npm run golden and commit the file.`,
      )
    }
  })
}

function firstDifference(file: string, text: string): string {
  if (!existsSync(file)) return `${file} does not exist.`
  const [expected, actual] = [readFileSync(file, "utf8"), text].map((each) => each.split("\n"))
  const line = actual?.findIndex((each, n) => each !== expected?.[n]) ?? 0
  return `${file}:${line + 1} does not match the page.\n- ${expected?.[line]}\n+ ${actual?.[line]}`
}

function viewer(
  { url: origin }: Pick<Petstore, "url">,
  role: PersonRole | "anonymous",
  visitor: ReturnType<typeof person>,
  write: Album["write"],
): Viewer {
  let here = new URL(origin)
  const note = async (what: string, going: Promise<Shown>) => {
    const shown = await going
    here = shown.url
    write(`${role} ${what}: ${shown.status} ${here.pathname}${here.search}`, mainOf(shown.html), here.pathname)
    return shown
  }
  const send: Viewer["send"] = (fields, to = here) =>
    note(`sends ${JSON.stringify(fields)}`, visitor.submitTo(to, fields))
  return {
    see: (path) => note(`opens ${path}`, visitor.go(path)),
    async seeWhole(path) {
      const shown = await visitor.go(path)
      here = shown.url
      write(`${role} opens ${path}: ${shown.status} ${here.pathname}${here.search}`, wholeOf(shown))
      return shown
    },
    open: async (path) => {
      const shown = await visitor.go(path)
      here = shown.url
      return shown
    },
    send,
    act: (fields) => visitor.submitTo(here, fields),
    async confirm(fields, to) {
      await send(fields, to)
      const password = role === "anonymous" ? "" : passwordOf(people[role])
      return send({ ...fields, "console-password": password })
    },
    sendFile(action, file, fields = {}) {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      body.set("file", new Blob([file]), "file")
      const query = new URLSearchParams({ form: visitor.hidden().form ?? "", action })
      const sending = visitor.go(`${here.pathname}?${query}`, { method: "POST", body, headers: { origin } })
      return note(`uploads with ${action} ${JSON.stringify(fields)}`, sending)
    },
    showCookies() {
      const lines = visitor
        .cookies()
        .map(({ name, attributes }) => [name, ...attributes].join("; ").replace(/expires=[^;]+/, "expires=TIME"))
      write(`${role} has cookies`, lines.join("\n"))
    },
  }
}

/** The lines of a page; those that follow each other in the page before, too, are counted. */
function changesOf(before: readonly string[], lines: readonly string[]): string[] {
  const written: string[] = []
  let [from, same] = [0, 0]
  const flush = () => {
    if (same > 0) written.push(`<!-- ${same} lines as before -->`)
    same = 0
  }
  for (const line of lines) {
    const found = before.indexOf(line, from)
    if (found !== from || found < 0) flush()
    if (found < 0) written.push(line)
    else {
      from = found + 1
      same += 1
    }
  }
  flush()
  return written
}

const headersShown =
  /^(content-(type|encoding|disposition|security-policy)|cache-control|location|vary|link|referrer-policy|x-.*|cross-origin-.*|set-cookie|retry-after)$/

/** The headers and the body of a response; its style sheet is another file. */
const wholeOf = ({ html, headers }: Pick<Shown, "html" | "headers">): string =>
  [
    ...[...headers].filter(([name]) => headersShown.test(name)).map(([name, value]) => `${name}: ${value}`),
    html.replace(/<style>.*?<\/style>/s, "<style>STYLE</style>"),
  ].join("\n")

const mainOf = (html: string): string => /<main.*<\/main>/s.exec(html)?.[0] ?? html

/** Random texts, ports and durations as words, and a long text as its length. */
function steady(replacements: Replacements, text: string): string {
  return replacements
    .reduce((all, [pattern, word]) => all.replaceAll(pattern, word), text)
    .replaceAll(/x{100,}/g, (long) => `x × ${long.length}`)
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{2,}/g, "\n")
}

const volatile = (url: string): Replacements => [
  [url, "http://petstore.test"],
  [encodeURIComponent(url), encodeURIComponent("http://petstore.test")],
  [new URL(url).host, "petstore.test"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://receiver.test"],
  [/127\.0\.0\.1:\d+/g, "receiver.test"],
  [/(name="form" value=")[\w-]+/g, "$1TOKEN"],
  [/([?&;]form=)[\w-]{20,}/g, "$1TOKEN"],
  [/(value="(?:\d+ )?&quot;|\d+ \\"|etag: &quot;|if-match: &quot;)[\w-]{22}(?=&quot;|\\")/g, "$1ETAG"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "UUID"],
  [/(\/receiver\/)[\w-]{20,}/g, "$1SEALED"],
  [
    /("requestId":"|requestId&quot;: ?&quot;|x-request-id: |id of the request is <code>|<dt>Request<\/dt><dd><code>)[\w-]{14,20}/g,
    "$1REQUEST",
  ],
  [/\b(psk|pss|poc|pos|whsec)_[\w+/=-]{16,}/g, "$1_RANDOM"],
  [/\b(evt_\d+)_[0-9a-f]{12}/g, "$1_STORE"],
  [/'sha256-[\w+/=]+'/g, "'sha256-RANDOM'"],
  [/(set-cookie: [\w-]+=)[\w.-]+/g, "$1RANDOM"],
  [/\bv1,[\w+/]{43}=/g, "v1,SIGNATURE"],
  [/\b[0-9a-f]{64}\b/g, "HASH"],
  [/-[0-9a-f]{16}\.(svg|css|js)/g, ".$1"],
  [/(durationMs&quot;: )\d+/g, "$1N"],
  // A problem contains the name of its request, whose length differs.
  [/(content-length: )\d{3}\b/g, "$1N"],
  [/(took |<dd>|Took">)[\d.]+ ms/g, "$1N ms"],
]

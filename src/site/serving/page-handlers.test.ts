import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { ConsolePage } from "../pages/console/page.ts"
import { html } from "../pages/html.ts"
import type { Console } from "./console.ts"
import { sessionToken } from "./forms.ts"
import { PageHandlers } from "./page-handlers.ts"

async function* written<Piece>(piece: Piece) {
  yield piece
}

const page: ConsolePage = {
  path: "/page",
  title: "Page",
  scope: "any",
  show: async () => html`<p>shown</p>`,
  download: async ({ query }) =>
    query.has("file") ? { name: "file", type: "text/csv", text: written("text") } : undefined,
  actions: {
    stream: async () => ({ pieces: written(html`<p>piece</p>`), release: async () => {} }),
    show: async () => ({ show: html`<p>once</p>` }),
    refuse: () => Promise.reject(new Problem("unavailable", "The disk is full", { retryAfter: 60 })),
    overview: async () => ({ to: "/", notice: "Done" }),
    leave: async () => ({ to: "/pets/7", notice: "Added", account: 9 }),
    end: async () => ({ to: "/users", notice: "Ended", endsSessions: true }),
  },
}

/** The handlers of a person's pages, the responses that they announced as streams, and what else was done. */
function open() {
  const streams: Exchange[] = []
  const done: unknown[] = []
  const caller = {
    user: { id: 1, username: "ada", role: "customer", accountId: 2 },
    account: { id: 2, name: "ada" },
    scopes: new Set(),
  }
  const api = {
    ports: {},
    expectStream: (exchange: Exchange) => void streams.push(exchange),
    limitAccount: async () => void done.push(["limit"]),
    toProblem: (_exchange: Exchange, error: Error) =>
      error instanceof Problem ? error : new Problem("internal-error", "The service failed"),
  }
  const console = {
    api,
    pages: [page],
    service: { now: () => 0, hasPublicStore: true },
    publicUrl: () => "https://pets.example",
    cookies: {
      takeNotice: () => undefined,
      notify: (_exchange: Exchange, notice: string) => void done.push(["notice", notice]),
      chooseAccount: (_exchange: Exchange, token: string, id: number) => void done.push(["account", token, id]),
      signOut: () => void done.push(["signed out"]),
    },
    samplePeople: [],
    callAs: () => ({}),
    findPerson: async () => ({ caller, token: "session" }),
  }
  return { handlers: new PageHandlers(console as unknown as Console), streams, done }
}

/** A form of the page, with the token of its session unless another is given. */
function submitted(action: string, { token = sessionToken("session"), url = "/console/page", headers = {} } = {}) {
  const form = `${new URLSearchParams({ form: token, action })}`
  const all = { host: "pets.example", "content-length": String(form.length), ...headers }
  const exchange = exchangeOf(url, { method: "POST", headers: all })
  return Object.assign(exchange, { request: Object.assign(Readable.from([Buffer.from(form)]), { headers: all }) })
}

test("a download and a streamed page are announced as streams, and other pages are not", async () => {
  const { handlers, streams } = open()
  const shown = await handlers.show(exchangeOf("/console/page"), page)
  const once = await handlers.submit(submitted("show"), page)
  assert.match(String(shown.body), /<p>shown<\/p>/)
  assert.match(String(once.body), /<p>once<\/p>/)
  assert.deepEqual(streams, [])

  const asked = exchangeOf("/console/page?file=yes")
  const file = await handlers.show(asked, page)
  const sent = submitted("stream")
  const streamed = await handlers.submit(sent, page)
  assert.deepEqual(streams, [asked, sent])
  const textOf = async (body: unknown) => (await Array.fromAsync(body as AsyncIterable<string>)).join("")
  assert.equal(await textOf(file.body), "text")
  assert.match(await textOf(streamed.body), /<p>piece<\/p>/)
})

test("a page that a person may not see is like one that does not exist; any other problem is shown", async () => {
  const { handlers } = open()
  const shown = async (problem: Problem) => {
    const show = () => Promise.reject(problem)
    const { status, body } = await handlers.show(exchangeOf("/console/page"), { ...page, show })
    return [status, /<h1>([^<]*)/.exec(String(body))?.[1], String(body).includes(problem.detail)]
  }
  assert.deepEqual(await shown(new Problem("forbidden", "It needs read:pets")), [404, "No such resource", false])
  assert.deepEqual(await shown(new Problem("pet-not-found", "No pet has the id 5")), [404, "Pet not found", true])
})

test("a form of the session is counted, and leads to the page that its action names", async () => {
  const led = async (action: string) => {
    const { handlers, done } = open()
    const { status, headers } = await handlers.submit(submitted(action), page)
    return [status, headers[headers.indexOf("location") + 1], ...done]
  }
  assert.deepEqual(await led("overview"), [303, "/console", ["limit"], ["notice", "Done"]])
  const account = ["account", "session", 9]
  assert.deepEqual(await led("leave"), [303, "/console/pets/7", ["limit"], ["notice", "Added"], account])
  assert.deepEqual(await led("end"), [303, "/console/users", ["limit"], ["notice", "Ended"], ["signed out"]])
})

test("a form without the token of its session, or without an action of the page, does nothing", async () => {
  const { handlers, done } = open()
  const forged = submitted("overview", { token: "x" })
  const { status, body } = await handlers.submit(forged, page)
  assert.deepEqual([status, forged.problem, done], [403, "foreign-page", []])
  assert.match(String(body), /<h1>This form has expired<\/h1>/)
  const unknown = await handlers.submit(submitted("other"), page)
  assert.equal(unknown.status, 400)
  assert.match(String(unknown.body), /The page has no action for this form/)
  assert.deepEqual(done, [])
})

test("a page that takes a file reads the fields of its form from the address, and another one does not", async () => {
  const headers = { "content-type": "multipart/form-data; boundary=x" }
  const url = `/console/page?${new URLSearchParams({ form: sessionToken("session"), action: "overview" })}`
  const submit = async (takesFile: boolean) => {
    const shown = takesFile ? { ...page, takesFile } : page
    return (await open().handlers.submit(submitted("show", { headers, url }), shown)).status
  }
  assert.deepEqual([await submit(true), await submit(false)], [303, 200])
})

test("a refused action shows its page again with the reason, or the reason alone where there is no page any more", async () => {
  const refused = async (show: ConsolePage["show"]) => {
    const exchange = submitted("refuse")
    const { status, body } = await open().handlers.submit(exchange, { ...page, show })
    const alarm = /class="alarm" role="alert">([^<]*)/.exec(String(body))?.[1]
    return [status, /<h1>([^<]*)/.exec(String(body))?.[1], alarm, String(body).includes("<p>shown</p>")]
  }
  assert.deepEqual(await refused(page.show), [503, undefined, "The disk is full", true])
  const gone = await refused(() => Promise.reject(new Problem("pet-not-found", "No pet has the id 5")))
  assert.deepEqual(gone, [503, "Unavailable", undefined, false])
  const failed = await refused(() => Promise.reject(new Error("a bug")))
  assert.deepEqual(failed, [500, "Internal error", undefined, false])
})

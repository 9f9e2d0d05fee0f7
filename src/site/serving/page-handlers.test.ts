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
  },
}

/** The handlers of a person's pages, and the responses that they announced as streams. */
function open() {
  const streams: Exchange[] = []
  const caller = {
    user: { id: 1, username: "ada", role: "customer", accountId: 2 },
    account: { id: 2, name: "ada" },
    scopes: new Set(),
  }
  const api = {
    ports: {},
    expectStream: (exchange: Exchange) => void streams.push(exchange),
    limitAccount: async () => {},
    toProblem: (_exchange: Exchange, error: Problem) => error,
  }
  const console = {
    api,
    pages: [page],
    service: { now: () => 0, hasPublicStore: true },
    publicUrl: () => "https://pets.example",
    cookies: { takeNotice: () => undefined },
    callAs: () => ({}),
    findPerson: async () => ({ caller, token: "session" }),
  }
  return { handlers: new PageHandlers(console as unknown as Console), streams }
}

test("a download and a streamed page are announced as streams, and other pages are not", async () => {
  const { handlers, streams } = open()
  const submitted = (action: string) => {
    const form = `${new URLSearchParams({ form: sessionToken("session"), action })}`
    const headers = { host: "pets.example", "content-length": String(form.length) }
    const exchange = exchangeOf("/console/page", { method: "POST", headers })
    Object.assign(exchange, { request: Object.assign(Readable.from([Buffer.from(form)]), { headers }) })
    return exchange
  }
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

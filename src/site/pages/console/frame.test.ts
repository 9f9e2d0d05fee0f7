import assert from "node:assert/strict"
import { test } from "node:test"
import { html } from "../html.ts"
import { type Framed, renderFrame } from "./frame.ts"
import type { Visit } from "./page.ts"

type Given = {
  path?: string
  query?: string
  sandbox?: string
  sandboxes?: number
  scopes?: string[]
  hasPublicStore?: boolean
  mayGo?: (path: string) => boolean
}

/** A page in the frame of the console. */
function framed(given: Given = {}, more: Partial<Framed> = {}) {
  const { path = "/", query = "", sandbox, sandboxes = 0, scopes = [], hasPublicStore = true, mayGo } = given
  const visit = {
    root: "/console",
    path,
    query: new URLSearchParams(query),
    scopes: new Set(scopes),
    person: { username: "ada", role: "staff" },
    account: { id: 7, name: "Shop" },
    token: "T",
    mayGo: mayGo ?? (() => true),
    namedSandboxes: () => Array.from({ length: sandboxes }, (_, n) => ({ name: `run-${n + 1}` })),
    service: { now: () => 0, hasPublicStore, sandbox, imageOrigin: "https://images.example" },
  } as unknown as Visit
  const { status, headers, body } = renderFrame({ visit, title: "Pets", main: html`<p>main</p>`, ...more })
  const pairs = headers.flatMap((name, n) => (n % 2 === 0 ? [[name, headers[n + 1]]] : []))
  return { status, headers: Object.fromEntries(pairs) as Record<string, string>, page: String(body) }
}

/** The links of the navigation, with what they say of the current page. */
const linksOf = ({ page }: { page: string }) =>
  [...page.matchAll(/<li><a href="\/console([^"]*)"(?: aria-current="(\w+)")?>/g)].map(([, path, current]) =>
    current === undefined ? path : `${path} ${current}`,
  )

test("the navigation has the pages of one word that the person may see, and marks the current one", () => {
  const mayGo = (path: string) => ["/", "/pets", "/orders", "/pets/new"].includes(path)
  assert.deepEqual(linksOf(framed({ mayGo })), [" page", "/pets", "/orders"])
  assert.deepEqual(linksOf(framed({ mayGo, path: "/pets" })), ["", "/pets page", "/orders"])
  assert.deepEqual(linksOf(framed({ mayGo, path: "/pets/7" })), ["", "/pets true", "/orders"])
  assert.deepEqual(linksOf(framed({ mayGo, path: "/petshop" })), ["", "/pets", "/orders"])
  const groups = (given: Given) =>
    [...framed(given).page.matchAll(/<p class="group">(.*?)</g)].map(([, title]) => title)
  assert.deepEqual(groups({ mayGo }), ["Store", "Petstore"])
  assert.deepEqual(groups({ mayGo: () => false }), ["Petstore"])
})

test("the menu of sandboxes has the latest ten; from the console of one, a link leads out of it", () => {
  const names = (given: Given) =>
    [...framed(given).page.matchAll(/name="name" value="(run-\d+)"/g)].map(([, name]) => name)
  assert.match(framed().page, /There are no named sandboxes/)
  assert.deepEqual(names({ sandboxes: 1 }), ["run-1"])
  assert.doesNotMatch(framed({ sandboxes: 1 }).page, /There are no named sandboxes/)
  assert.deepEqual(
    names({ sandboxes: 12 }),
    Array.from({ length: 10 }, (_, n) => `run-${n + 3}`),
  )
  assert.doesNotMatch(framed({ mayGo: (path) => path !== "/sandbox" }).page, /popovertarget="sandboxes"/)
  const inside = framed({ sandbox: "mine" }).page
  assert.match(inside, /href="\/console\/\.\.\/\.\.\/\.\.\/console\/sandbox\/mine">Leave the sandbox</)
  assert.doesNotMatch(inside, /popovertarget="sandboxes"/)
})

test("an administrator sees the account, and the field of the search keeps what was searched", () => {
  const account = /<p>Account <a href="\/console\/accounts\/7">Shop</
  assert.match(framed({ scopes: ["admin"] }).page, account)
  assert.doesNotMatch(framed().page, account)
  const searched = (given: Given) => /name="q" value="(.*?)"/.exec(framed(given).page)?.[1]
  assert.equal(searched({ path: "/search", query: "q=Rex" }), "Rex")
  assert.equal(searched({ path: "/search" }), "")
  assert.equal(searched({ path: "/pets", query: "q=Rex" }), "")
  const stores = (given: Given) => framed(given).page.match(/>Store<\/a>/g)?.length ?? 0
  assert.deepEqual([stores({}), stores({ hasPublicStore: false })], [2, 0])
})

test("a page of the console is stored by no cache, runs its own scripts only, and shows its notice", () => {
  const { status, headers, page } = framed()
  assert.deepEqual(
    [status, headers["cache-control"], headers["cross-origin-opener-policy"], headers["content-security-policy"]],
    [
      200,
      "no-store",
      "same-origin",
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' https://images.example; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ],
  )
  assert.match(page, /data-now="1970-01-01T00:00:00\.000Z">\s*<p>main<\/p>\s*<\/main>/)
  const refused = framed({}, { status: 409, notice: { text: "No", isFailure: true } })
  assert.equal(refused.status, 409)
  assert.match(refused.page, /<p class="alarm" role="alert">No<\/p>\s*<p>main<\/p>/)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { validatePage } from "./validate-page.ts"

const asking = (ifNoneMatch?: string) =>
  exchangeOf("/", { headers: { ...(ifNoneMatch && { "if-none-match": ifNoneMatch }) } })
const page: HttpResponse = {
  status: 200,
  headers: [
    ...["vary", "accept-encoding", "content-type", "text/html", "cache-control", "no-cache"],
    ...["content-length", "4", "content-encoding", "gzip", "link", "</>; rel=content-type"],
  ],
  body: "page",
}
const etagIn = ({ headers }: HttpResponse) => headers[headers.indexOf("etag") + 1] as string

test("a page that the client has is sent without its body, and without the fields that describe it", () => {
  const whole = validatePage(asking(), page)
  assert.deepEqual(whole, { ...page, headers: [...page.headers, "etag", etagIn(whole)] })
  assert.deepEqual(validatePage(asking(etagIn(whole)), page), {
    status: 304,
    headers: [
      ...["vary", "accept-encoding", "cache-control", "no-cache", "link", "</>; rel=content-type"],
      ...["etag", etagIn(whole)],
    ],
    body: undefined,
  })
  assert.equal(validatePage(asking('"other"'), page).status, 200)
})

test("the tag is that of the content, as text or as bytes", () => {
  const bytes = Buffer.from("page")
  const tags = [page, { ...page, body: bytes }, { ...page, body: bytes }].map((one) =>
    etagIn(validatePage(asking(), one)),
  )
  assert.equal(new Set(tags).size, 1)
  assert.notEqual(etagIn(validatePage(asking(), { ...page, body: "another" })), tags[0])
})

test("what fails, may not be stored or is a stream has no tag", () => {
  const stream = (async function* () {})()
  for (const other of [
    { status: 404 },
    { headers: ["cache-control", "no-store"] },
    { body: stream },
    { body: undefined },
  ]) {
    const response = { ...page, ...other } as HttpResponse
    assert.equal(validatePage(asking(), response), response)
  }
})

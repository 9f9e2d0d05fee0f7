import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "../exchange/exchange.ts"
import { notFound } from "./not-found.ts"

test("an unknown path has a page for a browser outside the API, otherwise a problem", () => {
  const page = { status: 404, headers: [], body: "page" }
  const respond = (path: string, accept?: string) =>
    notFound((at) => ({ ...page, body: at }))({ path, request: { headers: { accept } } } as unknown as Exchange)
  assert.deepEqual(respond("/a", "text/html"), { ...page, body: "/a" })
  for (const [path, accept] of [
    ["/api/v3/a", "text/html"],
    ["/a", "*/*"],
    ["/a", undefined],
  ] as const)
    assert.throws(() => respond(path, accept), {
      code: "not-found",
      detail: `There is no resource at ${path}; see /docs`,
    })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { filledPath, pathParameters, routePath, wellKnownUrl } from "./path.ts"

test("a path has parameters in braces, which the router writes with a colon and a request fills", () => {
  const path = "/pet/{petId}/image/{imageId}"
  assert.deepEqual(pathParameters(path), ["petId", "imageId"])
  assert.deepEqual(pathParameters("/pet"), [])
  assert.equal(routePath(path), "/pet/:petId/image/:imageId")
  assert.equal(filledPath(path, { petId: 1, imageId: "a/b c" }), "/pet/1/image/a%2Fb%20c")
})

test("metadata is at a well-known address before the path of a named store", () => {
  for (const [base, url] of [
    ["https://a.example", "https://a.example/.well-known/x/oauth"],
    ["https://a.example/s/b", "https://a.example/.well-known/x/s/b/oauth"],
    ["https://a.example/base", "https://a.example/base/.well-known/x/oauth"],
    ["https://a.example/base/s/b", "https://a.example/base/.well-known/x/s/b/oauth"],
  ] as const)
    assert.equal(wellKnownUrl(base, "x", "/oauth"), url)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { readProblem } from "./read-problem.ts"

const url = "https://a.example/api/v3/pet/1?x=1"

test("a problem is read as the service sent it", () => {
  const problem = { code: "pet-not-found", status: 404 }
  for (const type of ["application/problem+json", "application/problem+json; charset=utf-8"]) {
    const response = new Response(null, { status: 404, headers: { "content-type": type } })
    assert.deepEqual(readProblem(url, response, JSON.stringify(problem)), problem)
  }
})

test("a response that is no problem is described", () => {
  const detail = "https://a.example responded 502 Bad Gateway without saying why; is it a Petstore?"
  const described = {
    type: "about:blank",
    title: "Bad Gateway",
    status: 502,
    detail,
    instance: "/api/v3/pet/1",
    code: "unknown",
    message: detail,
    requestId: "",
  }
  const gateway = (headers: Record<string, string>) =>
    new Response(null, { status: 502, statusText: "Bad Gateway", headers })
  for (const [headers, text] of [
    [{ "content-type": "text/html" }, "{}"],
    [{ "content-type": "application/json" }, '{"code":"x"}'],
    [{}, ""],
    [{ "content-type": "application/problem+json" }, '{"code":'],
    [{ "content-type": "application/problem+json" }, "null"],
  ] as [Record<string, string>, string][])
    assert.deepEqual(readProblem(url, gateway(headers), text), described)
  const { detail: untitled } = readProblem(url, new Response(null, { status: 502 }), "")
  assert.equal(untitled, "https://a.example responded 502 without saying why; is it a Petstore?")
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { Refused } from "../client/client.ts"
import { at, inParameter, type Violation } from "../kernel/problem.ts"
import { explainCall } from "./failure.ts"
import { type Tool, WrongArguments } from "./tool.ts"

const toolOf = (inputSchema: object) => ({ listed: { name: "addPet", inputSchema } }) as unknown as Tool
const tool = toolOf({ properties: { name: { type: "string" } }, required: ["name"] })
const usage = "Call it as addPet({ name: string })"

/** What a model reads when the service refuses its call. */
function explainRefusal(errors: readonly Violation[], retryAfter?: string) {
  const refused = Object.create(Refused.prototype) as Refused
  const problem = { title: "Wrong body", detail: "name is wrong (and 1 more)" }
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter })
  const members = { problem, headers, errors, code: "invalid-body", status: 422 }
  for (const [name, value] of Object.entries(members)) Object.defineProperty(refused, name, { value })
  return explainCall(refused, tool)
}

test("wrong arguments are explained with the signature", () => {
  assert.equal(explainCall(new WrongArguments("name is required"), tool), `name is required\n${usage}`)
})

test("an error of the program is not explained", () => assert.equal(explainCall(new Error("x"), tool), undefined))

test("a refusal has its detail, or every violation with the signature", () => {
  assert.equal(explainRefusal([]), "name is wrong (and 1 more) (invalid-body, 422)")
  assert.equal(
    explainRefusal([...at("/name", "x", "is wrong")]),
    `Wrong body (invalid-body, 422)\n- name is wrong\n${usage}`,
  )
  const violations = [
    ...at("/tags/0/id", "x", "is wrong"),
    ...at("", "x", "is wrong"),
    ...inParameter("limit", "x", "is wrong"),
  ]
  assert.equal(
    explainRefusal(violations),
    `Wrong body (invalid-body, 422)\n- tags.0.id is wrong\n- The body is wrong\n- limit is wrong\n${usage}`,
  )
})

test("a refusal says when to try again", () => {
  assert.equal(explainRefusal([], "0"), "name is wrong (and 1 more) (invalid-body, 422)\nTry again in 0 s")
})

test("a signature has the types of all arguments", () => {
  const word = { enum: ["a", "b"] }
  const properties = {
    none: {},
    either: { type: ["string", "null"] },
    word,
    words: { type: "array", items: word },
    lists: { type: "array", items: { type: "array" } },
    object: { type: "object" },
    inner: { type: "object", properties: { a: { type: "integer" }, w: word }, required: ["a"] },
    inners: { type: "array", items: { type: "object", properties: { w: word } } },
    odd: { type: "toString" },
  }
  const signature = explainCall(new WrongArguments(""), toolOf({ properties, required: ["word"] }))
  assert.equal(
    signature,
    '\nCall it as addPet({ none?: , either?: string | null, word: "a" | "b", words?: ("a" | "b")[], lists?: any[][], ' +
      'object?: object, inner?: { a: integer, w?: "a" | "b" }, inners?: { w?: "a" | "b" }[], odd?: toString })',
  )
  assert.equal(explainCall(new WrongArguments(""), toolOf({})), "\nCall it as addPet()")
})

import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { Client } from "undici"
import { durationMs } from "../src/core/kernel/duration.ts"
import { fill, fillBytes, matchBody, matchText, type Pair, type Values } from "./harness/cases/match.ts"
import { type CaseFile, type Expected, parseCases, type Request, type Step } from "./harness/cases/parse.ts"
import { hasNamedSandboxes } from "./harness/database.ts"
import { describedChecker } from "./harness/described.ts"
import { filesOf, root } from "./harness/together.ts"
import { before, use, usePetstore } from "./harness/use.ts"

const requireDescribed = describedChecker()
/** Selects a named sandbox. */
const namedSandbox = /\/s\/|^petstore-sandbox:/im

for (const path of filesOf(["test/cases/**/*.http"])) {
  const text = readFileSync(join(root, path), "utf8")
  const skip = !hasNamedSandboxes && namedSandbox.test(text) && "the database has no named sandboxes"
  describe(path, { skip }, () => {
    try {
      runFile(path, parseCases(text))
    } catch (error) {
      test("can be read", () => assert.fail(`${path}:${(error as Error).message}`))
    }
  })
}

/** The tests of a file: its cases, which share a service and one connection to it. */
function runFile(path: string, { env, base, setup, cases }: CaseFile): void {
  const petstore = usePetstore({ env })
  const client = use(async () => {
    const opened = new Client(petstore.url)
    return { request: opened.request.bind(opened), [Symbol.asyncDispose]: () => opened.close() }
  })
  const shared: Values = new Map()

  async function run(steps: Step[], values: Values): Promise<void> {
    for (const step of steps) {
      if ("advance" in step) petstore.clock.advance(durationMs(step.advance))
      else await runRequest(step, values)
    }
  }

  async function runRequest(step: Request, values: Values): Promise<void> {
    const { method, expected } = step
    const target = fill(step.target, values)
    const address = target.startsWith("/") ? base + target : target.slice(petstore.url.length)
    const { headers, body } = messageOf(step, values)
    const received = await client.request({ method: method as "GET", path: address, headers, body })
    const text = await received.body.text()
    const actual = { status: received.statusCode, headers: received.headers, text }
    requireExpected(`${path}:${expected.at}: the response to ${method} ${address}`, expected, actual, values)
    const type = String(received.headers["content-type"] ?? "")
    requireDescribed({ method, path: address, status: actual.status, type, text })
  }

  before(async () => {
    shared.set("url", petstore.url)
    await run(setup, shared)
  })

  for (const { title, runs } of cases)
    test(title, async () => {
      for (const steps of runs) await run(steps, new Map(shared))
    })
}

/** The headers of a request, by default with the sandbox's key and the type JSON, and its body. */
function messageOf({ headers, body }: Request, values: Values) {
  const given = new Map(headers.map(([name, value]) => [name.toLowerCase(), fill(value, values)]))
  if (!given.has("api_key") && !given.has("authorization")) given.set("api_key", "special-key")
  if (!given.has("content-type") && body !== "") given.set("content-type", "application/json")
  const sent = [...given].filter(
    ([name]) => !headers.some((header) => header[0].toLowerCase() === name && header[1] === "{{absent}}"),
  )
  const lines = given.get("content-type")?.startsWith("multipart/") ? body.replaceAll("\n", "\r\n") : body
  return { headers: Object.fromEntries(sent), body: lines === "" ? null : fillBytes(lines, values) }
}

type Actual = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

function requireExpected(where: string, expected: Expected, actual: Actual, values: Values): void {
  const { status, headers, body, isExact } = expected
  const pairs: Record<string, Pair> = { status: [status, actual.status] }
  for (const [name, value] of headers) pairs[name] = matchHeader(value, actual.headers[name.toLowerCase()], values)
  if (status !== actual.status) pairs.body = [body, actual.text]
  else if (body !== "" || isExact) pairs.body = matchBody(body, actual.text, isExact, values)
  const [wanted, got] = [0, 1].map((n) =>
    Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[n]])),
  )
  assert.deepEqual(got, wanted, `${where} is not the expected one`)
}

function matchHeader(expected: string, actual: string | string[] | undefined, values: Values): Pair {
  if (expected === "{{absent}}") return [undefined, actual]
  return actual === undefined ? [expected, actual] : matchText(expected, [actual].flat().join(", "), true, values)
}

test("every file below test/cases is read", () => {
  const all = readdirSync(join(root, "test/cases"), { recursive: true, withFileTypes: true })
  const files = all
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  assert.deepEqual(files.sort(), filesOf(["test/cases/**/*.http"]))
})

test("a response that is not as described is an error", () => {
  const received = { method: "GET", path: "/api/v3/pet/1", status: 200, type: "application/json", text: '{"id":"1"}' }
  assert.throws(() => requireDescribed(received), /GET \/api\/v3\/pet\/1 200 is not as described/)
})

describe("a file of cases that could not fail is an error:", () => {
  const good = "### a\nGET /pet/1\nHTTP 200"
  for (const [text, error] of [
    ["", "1: there is no case"],
    ["PETS=1\n### a", "1: is no comment, no setting and no request"],
    ["### a\n", "1: a case has a request"],
    ["###\nGET /pet/1\nHTTP 200", "1: a case has a title after ###"],
    [`${good}\n${good}`, "4: another case has this title"],
    ["### a\nGET /pet/1", "2: the request has no expected response: HTTP and its status"],
    ["### a\nGET /pet/1\nHTTP 2xx", "3: expects HTTP and a status"],
    [`${good}\nHTTP 200`, "4: a request has one response"],
    ["### a\nexpect: 1\nGET /pet/1\nHTTP 200", "2: is no comment, no row of a table and no request"],
    ["### a\nGET /pet/{{id}}\nHTTP 200", "2: no earlier response has {{id}}"],
    ["### a\nGET /pet/{{*}}\nHTTP 200", "2: no earlier response has {{*}}"],
    ["### a\nPOST /pet\n{{absent}}\nHTTP 200", "3: only a header can be absent"],
    [`${good}\n{ "id": {{id}} }`, "4: {{id}} is not used"],
    ["GET /pet/1\nHTTP 200\nETag: {{etag}}\n### a\nGET /pet/1\nHTTP 200", "3: {{etag}} is not used"],
    [`${good}\n{ "id": {{pick 1}} }`, "4: {{pick 1}} has no meaning in a response"],
    [`${good}\n{ "id": 1`, "4: the expected body is no JSON"],
    ["### a\n| id |\nGET /pet/{{id}}\nHTTP 200", "2: a table has rows"],
    ["### a\n| id |\n| 1 | 2 |\nGET /pet/{{id}}\nHTTP 200", "3: has 2 cells, its table 1"],
    ["### a\n| id |\n| 1 |\nGET /pet/1\nHTTP 200", "2: no line has {{id}}"],
    ["### a\nADVANCE PT1S\nHTTP 200", "3: is no request"],
  ] as const)
    test(error.slice(3), () => {
      assert.throws(
        () => parseCases(text),
        (thrown: Error) => thrown.message.startsWith(error),
      )
    })
})

describe("a body matches", () => {
  const matches = (expected: string, actual: string, isExact = false) => {
    const [one, other] = matchBody(expected, actual, isExact, new Map([["name", "Rex"]]))
    return isDeepStrictEqual(one, other)
  }
  test("by the members that it is expected to have, exactly by all of them", () => {
    for (const [expected, actual, isMatch, isExactMatch] of [
      ['{"a":1}', '{"a":1,"b":2}', true, false],
      ['{"a":{"b":1}}', '{"a":{"b":1,"c":2}}', true, false],
      ['{"a":{{absent}}}', '{"b":1}', true, false],
      ['{"a":{{absent}}}', '{"a":null}', false, false],
      ['{"a":{{*}}}', '{"a":null}', true, true],
      ['{"a":{{*}}}', "{}", false, false],
      ["[1,{{...}}]", "[1,2]", true, true],
      ["[1]", "[1,2]", false, false],
      ["[1,2]", "[1]", false, false],
      ['{"a":"{{name}}s"}', '{"a":"Rexs"}', true, true],
      ['{"a":{{name}}}', '{"a":"Max"}', false, false],
      ['{"a":{{/\\d+/}}}', '{"a":12}', true, true],
      ['{"a":{{/\\d/}}}', '{"a":12}', false, false],
      ["{}", "text", false, false],
      ["{{x*3}}", "xxx", true, true],
      ["is", "this", true, false],
    ] as const)
      assert.deepEqual([matches(expected, actual), matches(expected, actual, true)], [isMatch, isExactMatch], expected)
  })
})

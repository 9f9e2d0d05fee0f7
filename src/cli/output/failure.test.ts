import assert from "node:assert/strict"
import { test } from "node:test"
import { Refused } from "../../client/client.ts"
import { CannotStart } from "../../core/kernel/cannot-start.ts"
import { Interrupted, plain, RetriesExhausted, UsageError } from "../command/command.ts"
import { explainConnection, explainFailure } from "./failure.ts"

const service = { url: "http://127.0.0.1:8080", isLocal: true, credential: { kind: "given", from: "--token" } } as const
const inWords = { json: false, paint: plain }

const problem = {
  type: "about:blank",
  title: "Not found",
  status: 404,
  detail: "There is no pet 7",
  message: "There is no pet 7",
  instance: "/api/v3/pet/7",
  code: "pet-not-found",
  requestId: "r-1",
}
const refused = (more: object = {}, headers: Record<string, string> = {}) =>
  new Refused({ ...problem, ...more }, new Headers(headers))

test("each kind of failure has its message and exit code", () => {
  const noStack = Object.assign(new Error(), { stack: undefined, message: "without a stack" })
  const bug = Object.assign(new Error("a bug"), { stack: "Error: a bug\n    at here" })
  const cases: [error: unknown, text: string, code: number][] = [
    [new Interrupted("SIGINT"), "", 130],
    [new Interrupted("SIGTERM"), "", 143],
    [new UsageError("no such flag"), "petstore: no such flag\n", 2],
    [new RetriesExhausted("it is down"), "petstore: it is down\n", 1],
    [new CannotStart("the port is taken"), "petstore: the port is taken\n", 1],
    [new DOMException("timeout", "TimeoutError"), "petstore: http://127.0.0.1:8080 did not respond in time\n", 1],
    [Object.assign(new Error("open /x"), { syscall: "open" }), "petstore: open /x\n", 1],
    [bug, "petstore: Error: a bug\n    at here\n", 1],
    [noStack, "petstore: Error: without a stack\n", 1],
    ["a text", "petstore: a text\n", 1],
  ]
  for (const [error, text, code] of cases) assert.deepEqual(explainFailure(error, service, inWords), { text, code })
})

test("the name of the program is red where colours are shown", () => {
  const paint = (format: string, text: string) => `<${format}>${text}</>`
  const { text } = explainFailure(new UsageError("wrong"), undefined, { json: false, paint })
  assert.equal(text, "<red>petstore:</> wrong\n")
})

test("a refusal is printed with its detail or all violations, its code and what to do", () => {
  const code = "\n  code       pet-not-found (404)\n  requestId  r-1\n"
  const hint = (status: number, kind: "given" | "login" | "none" | "public") => {
    const { text } = explainFailure(refused({ status }), { ...service, credential: { kind, from: "" } }, inWords)
    return text.split("\n").slice(3).join("\n")
  }
  const violations = [
    { pointer: "/name", code: "blank", detail: "must not be blank" },
    { pointer: "", code: "type", detail: "must be an object" },
    { parameter: "limit\u001b", code: "range", detail: "must be positive" },
  ]
  const cases: [Refused, string][] = [
    [refused(), `There is no pet 7${code}`],
    [refused({ errors: [], detail: "a\u001b[2J" }), `a\\u001b[2J${code}`],
    [
      refused({ errors: violations }),
      `Not found
  /name must not be blank (blank)
  the body must be an object (type)
  limit\\u001b must be positive (range)${code}`,
    ],
    [refused({ requestId: "" }), "There is no pet 7\n  code       pet-not-found (404)\n"],
    [refused({}, { "retry-after": "7" }), `There is no pet 7${code}  Try again in 7 s.\n`],
    [
      refused({ code: "named-sandbox-required" }),
      `There is no pet 7${code.replace("pet-not-found", "named-sandbox-required")}  On the command line: ./petstore --sandbox NAME …\n`,
    ],
  ]
  for (const [error, text] of cases)
    assert.deepEqual(explainFailure(error, service, inWords), { text: `petstore: ${text}`, code: 1 })
  assert.deepEqual(
    (["given", "login", "none", "public"] as const).map((kind) => hint(401, kind)),
    [
      "",
      "  The token of your login was refused; it may have expired. Run ./petstore login again.\n",
      "  No credential was sent. Set PETSTORE_API_KEY, or run ./petstore login.\n",
      "  Without a credential, the sandbox's key was sent. Set PETSTORE_API_KEY, or run ./petstore login.\n",
    ],
  )
  assert.equal(hint(403, "none"), "")
  assert.match(explainFailure(refused({ status: 401 }), undefined, inWords).text, /requestId {2}r-1\n$/)
})

test("with --json a refusal is its problem, and other failures are in words", () => {
  const asJson = { json: true, paint: plain }
  assert.deepEqual(explainFailure(refused(), service, asJson), { text: `${JSON.stringify(problem)}\n`, code: 1 })
  assert.equal(explainFailure(new UsageError("wrong"), service, asJson).text, "petstore: wrong\n")
})

test("a connection that fails is explained, other errors are not", () => {
  const failed = (cause?: object) => new TypeError("fetch failed", { cause })
  const local = { url: "http://127.0.0.1:8080", isLocal: true }
  const remote = { url: "https://petstore.example:8443/s/a", isLocal: false }
  const cases: [unknown, typeof local, string | undefined][] = [
    [
      failed({ code: "ECONNREFUSED" }),
      local,
      "nothing is listening at http://127.0.0.1:8080. Start the service with: ./petstore serve",
    ],
    [
      failed({ code: "ECONNREFUSED" }),
      remote,
      "nothing is listening at https://petstore.example:8443/s/a. Check the address.",
    ],
    [failed({ code: "ENOTFOUND" }), remote, "unknown host petstore.example. Check the address."],
    [
      failed({ code: "ECONNRESET", message: "read ECONNRESET" }),
      local,
      "the connection to http://127.0.0.1:8080 failed: read ECONNRESET",
    ],
    [failed({ code: "EPIPE", message: "" }), local, "the connection to http://127.0.0.1:8080 failed: EPIPE"],
    [new DOMException("timeout", "TimeoutError"), local, "http://127.0.0.1:8080 did not respond in time"],
    [failed(), local, undefined],
    [new Error("other", { cause: { code: "ECONNREFUSED" } }), local, undefined],
    ["a text", local, undefined],
  ]
  for (const [error, to, expected] of cases) assert.equal(explainConnection(error, to), expected)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { failuresIn } from "./reports.ts"

const failures = (report: string | object) => [
  ...failuresIn(typeof report === "string" ? report : JSON.stringify(report)),
]

test("a testcase of JUnit XML fails with a failure or an error, each failure of a list by itself", () => {
  assert.deepEqual(
    failures(`
<?xml version="1.0"?>
<testsuites><testsuite name="s">
  <testcase classname="api" name="one"><failure message="expected &lt;200&gt;"/><error>again</error></testcase>
  <testcase name="two"><error message="x"/></testcase>
  <testcase classname="api"><failure/></testcase>
  <testcase classname="api" name="fine"/>
  <testcase name="skipped"><skipped message="- not now"/></testcase>
  <testcase name="listed"><failure message="1.&#10;- Server error&#10;  - Too slow"/></testcase>
  <testcase name="in text"><failure>
- Undocumented
-nothing
  </failure></testcase>
  <testcase name="twice"><failure/></testcase>
  <testcase name="twice"><failure/></testcase>
</testsuite></testsuites>`),
    ["api one", "two", "api", "listed: Server error", "listed: Too slow", "in text: Undocumented", "twice"],
  )
  assert.deepEqual(failures("<testsuites/>"), [])
})

test("an element after a message does not repeat it", () => {
  assert.deepEqual(failures('<t><testcase name="a"><skipped message="- x"/><failure/></testcase></t>'), ["a"])
})

test("a request of HAR fails with 500 or more", () => {
  const entry = (status: number, url: string) => ({ request: { method: "GET", url }, response: { status } })
  const entries = [
    entry(499, "http://a/x"),
    entry(500, "http://a/pet/1?x=1"),
    entry(503, "http://a/y"),
    entry(200, "http://a/z"),
  ]
  assert.deepEqual(failures({ log: { entries } }), ["GET /pet/1 500", "GET /y 503"])
})

test("a failure of Newman has the status of its request, where the report has it", () => {
  const item = { id: "b0380f6e", name: "Add a pet to the store" }
  const error = { name: "AssertionError", test: "responds 200", message: "expected 201 to be one of [ 200 ]" }
  const executions = [
    { item: { id: "5de581e2", name: "Find a pet" }, response: { code: 200 } },
    { item, response: { code: 201 } },
  ]
  const run = { executions, failures: [{ error, at: "assertion:0 in test-script", source: item }] }
  assert.deepEqual(failures({ run }), ["Add a pet to the store responds 200 201"])
})

test("a failure of Newman is the name of its request with the test or the message", () => {
  assert.deepEqual(
    failures({
      run: {
        failures: [
          { source: { name: "Add" }, error: { test: "is 200", message: "expected" } },
          { source: { name: "Add" }, error: { message: "refused" } },
          { error: { test: "alone" } },
          { source: {} },
        ],
      },
    }),
    ["Add is 200", "Add refused", " alone", " "],
  )
})

/** As Schemathesis 4.32.5 writes it, shortened. */
const bySchemathesis = (...cases: [check: string, status: string][]) => `<?xml version="1.0" encoding="utf-8"?>
<testsuites errors="0" failures="1" skipped="0" tests="1" time="19.212768">
  <testsuite name="schemathesis" errors="0" failures="1" skipped="0" tests="1" time="19.212768">
    <testcase name="GET /pet/{petId}" time="19.212768">
      <failure type="failure" message="ST108">${cases.map(
        ([check, status], n) => `${n + 1}. Test Case ID: XtGh5v

- ${check}

    "name" is a required property

    Validated against the response schema for status code 200.

[${status.slice(0, 3)}]${status.slice(3)}:

    \`{"id":1,"photoUrls":["http://127.0.0.1:8080/s/a/images/d31ddfa539"],"tags":[{"id":1}],"status":"available"}\`

Reproduce with:

    curl -X GET -H 'api_key: [Filtered]' http://127.0.0.1:8080/s/a/api/v3/pet/1

`,
      )}</failure>
    </testcase>
  </testsuite>
</testsuites>`

test("a failure of Schemathesis is the operation, the check and the status, so that a second cause of the same check is another one", () => {
  const [violated, rejected] = [
    "ST108 Response violates schema",
    "ST202 API rejected schema-compliant request",
  ] as const
  assert.deepEqual(failures(bySchemathesis([violated, "200 OK"], [rejected, "400 Bad Request"])), [
    `GET /pet/{petId}: ${violated} 200`,
    `GET /pet/{petId}: ${rejected} 400`,
  ])
  assert.deepEqual(failures(bySchemathesis([rejected, "400 Bad Request"], [rejected, "422 Unprocessable Content"])), [
    `GET /pet/{petId}: ${rejected} 400`,
    `GET /pet/{petId}: ${rejected} 422`,
  ])
})

/** As Dredd 14.1.0 writes it, shortened. */
const byDredd = (status: number) => `<testsuite name="Dredd Tests" tests="2" failures="1" errors="0" skip="0">
<testcase name="POST (200) /pet" time="1.656"><failure><![CDATA[Message:
headers: At '/ratelimit' Missing required property: ratelimit
headers: At '/etag' Missing required property: etag
body: At '/id' Missing required property: id
statusCode: Expected status code '200', but got '${status}'.

Request:
method: POST
uri: /pet

Expected:
statusCode: 200

Actual:
statusCode: ${status}
headers: 
    x-request-id: ecmnQjwgamb1-23
    content-length: 410

body: 
{
  "title": "Invalid parameter",
  "status": ${status}
}
]]></failure></testcase>
<testcase name="GET (200) /pet/1" time="0.1"/></testsuite>`

test("a failure of Dredd is the transaction, what it compares, and the status of the response", () => {
  const expected = ["headers", "body", "statusCode"].map((check) => `POST (200) /pet: ${check}`)
  for (const status of [400, 500])
    assert.deepEqual(
      failures(byDredd(status)),
      expected.map((failure) => `${failure} ${status}`),
    )
})

test("another report is refused", () => {
  for (const report of ["<testsuite>", "<a></b>", "{", "{}", '{"log":{}}', '{"run":{}}', "", "text"])
    assert.throws(() => failures(report), SyntaxError)
  assert.throws(() => failures("{}"), new SyntaxError("it is neither JUnit XML, HAR nor Newman's JSON"))
})

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

test("another report is refused", () => {
  for (const report of ["<testsuite>", "<a></b>", "{", "{}", '{"log":{}}', '{"run":{}}', "", "text"])
    assert.throws(() => failures(report), SyntaxError)
  assert.throws(() => failures("{}"), new SyntaxError("it is neither JUnit XML, HAR nor Newman's JSON"))
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { writeJunit } from "./write-junit.ts"

test("verdicts are a suite for each chapter, with the evidence of what was missed, escaped", () => {
  const task = (chapter: string, name: string) => ({ chapter, name, expects: `expects <${name}>` })
  assert.equal(
    writeJunit([
      { ...task("A & B", "one"), source: "RFC 1 & 2", outcome: "passed" },
      { ...task("C", "two"), outcome: "unclaimed", observed: 'it "cannot"' },
      {
        ...task("A & B", "three"),
        outcome: "missed",
        observed: "a\n>\u0000b\t\r\ufffe\uffff\ud83d \udc15🐕",
        requests: ["GET /?a&b", "GET /"],
      },
      { ...task("C", "four"), outcome: "missed" },
      { ...task("C", "five"), outcome: "unmeasured", observed: "<slow>" },
    ]),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="A &amp; B" tests="2" failures="1" errors="0" skipped="0">
<testcase classname="A &amp; B" name="one"><properties><property name="source" value="RFC 1 &amp; 2"/></properties></testcase>
<testcase classname="A &amp; B" name="three"><failure message="a&#10;&gt;�b&#9;&#13;��� �🐕">expects &lt;three&gt;&#10;GET /?a&amp;b&#10;GET /</failure></testcase>
</testsuite>
<testsuite name="C" tests="3" failures="1" errors="1" skipped="1">
<testcase classname="C" name="two"><skipped message="it &quot;cannot&quot;"/></testcase>
<testcase classname="C" name="four"><failure message="">expects &lt;four&gt;</failure></testcase>
<testcase classname="C" name="five"><error message="&lt;slow&gt;"/></testcase>
</testsuite>
</testsuites>
`,
  )
})

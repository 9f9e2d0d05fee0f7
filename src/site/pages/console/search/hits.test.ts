import assert from "node:assert/strict"
import { test } from "node:test"
import { contains, hitList } from "./hits.ts"

test("ten hits of a kind are listed, and how many more there are", () => {
  const hits = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ href: `/keys/${n}`, label: `Key <${n}>`, note: `note ${n}` }))
  assert.equal(hitList("Keys", []), undefined)
  assert.equal(
    hitList("Keys", hits(1))?.text,
    '<h2>Keys</h2>\n<ul class="lines"><li><a href="/keys/0">Key &lt;0&gt;</a> <span class="soft">note 0</span></li></ul>\n',
  )
  const [ten, eleven] = [10, 11].map((count) => hitList("Keys", hits(count))?.text ?? "")
  assert.deepEqual(
    [ten, eleven].map((text) => text?.split("<li>").length),
    [11, 11],
  )
  assert.doesNotMatch(ten ?? "", /more/)
  assert.match(eleven ?? "", /<p class="soft">1 more: search for more of the name\.<\/p>$/)
})

test("a text is found in any case, in one of several texts", () => {
  assert.equal(contains("rEx", "Ada", undefined, "T-Rex"), true)
  assert.equal(contains("rex", "Ada", undefined), false)
  assert.equal(contains("rex"), false)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { html, prose } from "./html.ts"

test("inserted texts are escaped, markup is not, and what is absent leaves nothing", () => {
  const piece = html`<b>${"<&>\"'"}</b>`
  assert.equal(piece.text, "<b>&lt;&amp;&gt;&quot;&#39;</b>")
  assert.equal(
    html`${piece}${[piece, "<", 0, ["a", false]]}|${false}${undefined}${0}${""}`.text,
    `${piece.text}${piece.text}&lt;0a|0`,
  )
  assert.equal(html`a\n${"b"}`.text, "a\nb")
})

test("backticks in a text mark code", () => {
  const shown = (text: string) =>
    prose(text)
      .map((part) => part.text)
      .join("")
  assert.equal(shown("Send `<x>` or `y`."), "Send <code>&lt;x&gt;</code> or <code>y</code>.")
  assert.equal(shown("`x`"), "<code>x</code>")
  assert.equal(shown("a < b"), "a &lt; b")
})

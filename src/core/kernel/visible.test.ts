import assert from "node:assert/strict"
import { test } from "node:test"
import { isVisible, visible } from "./visible.ts"

test("characters that control a terminal, change direction or hide text are escaped; letters, emoji and their joiners are not", () => {
  const hostile = { "\u001b[2J": "\\u001b[2J", "a\r\nb": "a\\u000d\\u000ab", "\u202ecod": "\\u202ecod" }
  const hidden = { "a\u200bb": "a\\u200bb", "\u{e0041}": "\\udb40\\udc41", "\u2028": "\\u2028" }
  for (const [text, shown] of Object.entries({ ...hostile, ...hidden })) assert.equal(visible(text), shown)
  for (const text of ["Zoë 犬", "👩‍🚀", "می‌خواهم"]) assert.equal(visible(text), text)
})

test("a text is visible when it shows anything at all", () => {
  const hidden = [
    "\u200b",
    "\u2060",
    "\u00ad",
    "\u2800",
    "\u3164",
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u180e",
    "\u0085",
    "\u200e",
    "\u001b",
    "\u0007",
    "\u00a0",
    "\u3000",
    "\ufeff",
    "\u2028",
    "\u034f",
    "\ufe0f",
    "\u{e0020}",
    " \t",
  ]
  for (const text of ["", ...hidden, hidden.join("")]) assert.equal(isVisible(text), false, JSON.stringify(text))
  for (const text of ["a", "\u200ba", "-", "犬", "🐕", "👩‍🚀", "می‌خواهم", "\u0301", "\u2801"])
    assert.equal(isVisible(text), true, text)
})

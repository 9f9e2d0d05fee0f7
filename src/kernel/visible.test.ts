import assert from "node:assert/strict"
import { test } from "node:test"
import { visible } from "./visible.ts"

test("characters that control a terminal, change direction or hide text are escaped; letters, emoji and their joiners are not", () => {
  const hostile = { "\u001b[2J": "\\u001b[2J", "a\r\nb": "a\\u000d\\u000ab", "\u202ecod": "\\u202ecod" }
  const hidden = { "a\u200bb": "a\\u200bb", "\u{e0041}": "\\udb40\\udc41", "\u2028": "\\u2028" }
  for (const [text, shown] of Object.entries({ ...hostile, ...hidden })) assert.equal(visible(text), shown)
  for (const text of ["Zoë 犬", "👩‍🚀", "می‌خواهم"]) assert.equal(visible(text), text)
})

import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

/** The recorded pages, each with what it changes. */
const pages = globSync(join(import.meta.dirname, "*.html")).flatMap((file) =>
  readFileSync(file, "utf8").split(/\n(?=<!-- \w+ (?:opens|sends))/),
)
const textsIn = (page: string, start: string): string[] =>
  [...page.matchAll(new RegExp(`<p class="${start}"[^>]*>([^<]+)<`, "g"))].map(([, text = ""]) => text)

test("above a form is what a field says, with its label, and no message begins with the name of a member", () => {
  const refused = pages.flatMap((page) => {
    const errors = textsIn(page, "error")
    return errors.length > 0 ? textsIn(page, "alarm").map((message) => ({ message, errors })) : []
  })
  assert.ok(refused.length >= 15)
  for (const { message, errors } of refused)
    assert.ok(errors.includes(message.replace(/ \(\d+\)/, "").replace(/( \(and \d+ more\))?\.$/, "")), message)
  const named = pages.flatMap((page) => textsIn(page, "alarm")).filter((text) => /^\w*[a-z][A-Z]|^\w+\.\d/.test(text))
  assert.deepEqual(named, [])
})

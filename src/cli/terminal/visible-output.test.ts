import assert from "node:assert/strict"
import { test } from "node:test"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import { openVisibleTerminal } from "./visible-output.ts"

const hostile = "\u001b]0;PWNED\u0007\u009b2J\r\u202e\u001b[31m"
const shown = "\\u001b]0;PWNED\\u0007\\u009b2J\\u000d\\u202e\\u001b[31m"
const formats = (_format: string, text: string) => `\u001b[1m${text}\u001b[22m`

test("a terminal shows the control characters of others, while its own formats and line ends take effect", () => {
  const { terminal, written } = recordTerminal({ width: 80, isTerminal: true, paint: { out: formats, err: formats } })
  const { out, err, redraw, paint } = openVisibleTerminal(terminal)
  out(`${paint.out("bold", `a ${hostile}`)}\n${hostile} é👨‍👩‍👧\n`)
  err(`${paint.err("red", hostile)}\n`)
  redraw(hostile)
  assert.deepEqual(written, {
    out: `\u001b[1ma ${shown}\u001b[22m\n${shown} é👨‍👩‍👧\n`,
    err: `\u001b[1m${shown}\u001b[22m\n\r\u001b[K${shown}`,
  })
})

test("JSON at a terminal has the same meaning, and a pipe gets the bytes as they are", () => {
  const value = { name: hostile, sub: [`${hostile}🐕`] }
  for (const width of [80, undefined]) {
    const { terminal, written } = recordTerminal({ width })
    openVisibleTerminal(terminal).out(`${JSON.stringify(value)}\n`)
    assert.deepEqual(JSON.parse(written.out), value)
    assert.equal(written.out.includes("\u202e"), width === undefined)
  }
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../../test/harness/clock.ts"
import { recordTerminal } from "../../../../test/harness/terminal.ts"
import { withStages } from "./stages.ts"

const redraw = "\r\u001b[K"

test("each stage has a progress line of its own, which ends with the stage, and the last one with the work", async () => {
  for (const fails of [false, true]) {
    const clock = manualClock()
    const { terminal, written } = recordTerminal({ isTerminal: true })
    const working = withStages({ terminal, clock }, async (report) => {
      report("Tables", 0, 4, "rows")
      clock.advance(1000)
      report("Tables", 2, 4, "rows")
      report("Images", 0, 2, "files")
      clock.advance(1000)
      report("Images", 1, 2, "files")
      if (fails) throw new Error("failed")
      return "done"
    })
    if (fails) await assert.rejects(working, /^Error: failed$/)
    else assert.equal(await working, "done")
    const bar = "██████████░░░░░░░░░░"
    assert.deepEqual(
      written.err,
      `${redraw}Tables  ${bar}  2 of 4 rows${redraw}${redraw}Images  ${bar}  1 of 2 files${redraw}`,
    )
  }
})

test("work that reports nothing writes nothing", async () => {
  const { terminal, written } = recordTerminal({ isTerminal: true })
  assert.equal(await withStages({ terminal, clock: manualClock() }, async () => 1), 1)
  assert.deepEqual(written, { out: "", err: "" })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { judge, mergeRuns, reportsIn, type ToolRun } from "./score.ts"

const failed = (...names: string[]) => ({ code: 0, failures: new Set(names) })
const exited = (code: number) => ({ code, failures: undefined })

test("a defect is found by what fails with it and not without", () => {
  const verdict = (clean: ToolRun, run: ToolRun) => {
    const { defect, outcome, by } = judge("emoji-fails", clean, run)
    assert.equal(defect, "emoji-fails")
    return [outcome, ...by]
  }
  assert.deepEqual(verdict(failed("a"), failed("a", "b", "c")), ["found", "b", "c"])
  assert.deepEqual(verdict(failed("a"), failed("a")), ["missed"])
  assert.deepEqual(verdict(failed("a"), failed()), ["missed"])
  assert.deepEqual(verdict({ code: 1, failures: new Set(["a"]) }, { code: 2, failures: new Set(["a"]) }), ["missed"])
  assert.deepEqual(verdict(exited(0), exited(0)), ["missed"])
  assert.deepEqual(verdict(exited(0), exited(3)), ["found", "exit code 3"])
  assert.deepEqual(verdict(exited(1), exited(0)), ["undecided"])
  assert.deepEqual(verdict(exited(1), exited(2)), ["undecided"])
})

test("where only one of two runs has a report, the exit codes decide unless the report has failures", () => {
  assert.equal(judge("emoji-fails", exited(0), failed("a")).outcome, "found")
  assert.equal(judge("emoji-fails", exited(0), { code: 1, failures: new Set() }).outcome, "found")
  assert.equal(judge("emoji-fails", exited(0), failed()).outcome, "missed")
  assert.equal(judge("emoji-fails", failed("a"), exited(1)).outcome, "found")
  assert.equal(judge("emoji-fails", failed("a"), exited(0)).outcome, "missed")
  assert.equal(judge("emoji-fails", { code: 1, failures: new Set() }, exited(0)).outcome, "undecided")
})

test("two runs without a defect are one, with what failed in either", () => {
  assert.deepEqual(mergeRuns(failed("a", "b"), failed("b", "c")), failed("a", "b", "c"))
  assert.deepEqual(mergeRuns(exited(0), exited(2)), exited(2))
  assert.deepEqual(mergeRuns(exited(1), exited(0)), exited(1))
  assert.deepEqual(mergeRuns(exited(1), exited(2)), exited(1))
  assert.deepEqual(mergeRuns(failed("a"), exited(0)), exited(0))
  assert.deepEqual(mergeRuns(exited(0), failed("a")), exited(0))
})

test("what fails without a defect is a report, by the exit code where there is no other", () => {
  assert.deepEqual(reportsIn(failed("a", "b")), ["a", "b"])
  assert.deepEqual(reportsIn({ code: 1, failures: new Set() }), [])
  assert.deepEqual(reportsIn(exited(0)), [])
  assert.deepEqual(reportsIn(exited(2)), ["exit code 2"])
})

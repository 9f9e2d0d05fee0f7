import assert from "node:assert/strict"
import { resolve } from "node:path"
import { test } from "node:test"
import { type Kind, Refusal } from "../../core/config/setting.ts"
import { sandboxSettings } from "./settings.ts"

const seed = sandboxSettings.seed.kind
const defectList = sandboxSettings.defects.kind

test("a seed is a name, or a path with a dot or a slash, and not one that only a shell would replace", () => {
  const read = ["classic", "x.csv", "a/b", "a\\b", "clasic", "", "~/x"].map((text) => seed.parse(text))
  assert.deepEqual(read.slice(0, 4), [
    { seed: "classic" },
    { file: resolve("x.csv") },
    { file: resolve("a/b") },
    { file: resolve("a\\b") },
  ])
  assert.ok(read.slice(4).every((value) => value instanceof Refusal))
})

const becauseOf = <T>(kind: Kind<T>, text: string) => {
  const value = kind.parse(text)
  return value instanceof Refusal ? value.because : undefined
}

test("a list of defects has known ids, and may have spaces and empty parts", () => {
  assert.deepEqual(defectList.parse(" id-as-text,,null-member "), ["id-as-text", "null-member"])
  assert.deepEqual(becauseOf(defectList, "null-member, id-as-txt"), {
    part: "id-as-txt",
    reason: "did you mean id-as-text?",
  })
  assert.deepEqual(defectList.parse(""), [])
  assert.deepEqual(defectList.parse(" , "), [])
  assert.deepEqual(becauseOf(defectList, "qqqqqqqqq"), { part: "qqqqqqqqq" })
})

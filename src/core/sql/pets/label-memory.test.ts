import assert from "node:assert/strict"
import { test } from "node:test"
import { LabelMemory } from "./label-memory.ts"

test("a rollback removes the names added since the last commit, and no others", () => {
  const memory = new LabelMemory()
  memory.remember("tags", "kept", 1)
  memory.commit()
  memory.remember("tags", "lost", 2)
  memory.remember("categories", "kept", 3)
  memory.rollback()
  memory.remember("tags", "again", 4)
  memory.commit()
  memory.rollback()
  assert.equal(memory.find("tags", "again"), 4)
  assert.deepEqual(
    [memory.find("tags", "kept"), memory.find("tags", "lost"), memory.find("categories", "kept")],
    [1, undefined, undefined],
  )
})

test("a removed name is not found", () => {
  const memory = new LabelMemory()
  memory.remember("tags", "idle", 1)
  memory.commit()
  memory.forget("tags", "idle")
  assert.equal(memory.find("tags", "idle"), undefined)
})

test("a cleared memory has no names of any kind, and later ones are found", () => {
  const memory = new LabelMemory()
  for (let id = 1; id <= 2501; id++) memory.remember("tags", `tag ${id}`, id)
  memory.remember("categories", "one", 1)
  memory.clear()
  assert.deepEqual(
    [memory.find("tags", "tag 1"), memory.find("tags", "tag 2501"), memory.find("categories", "one")],
    [undefined, undefined, undefined],
  )
  memory.remember("tags", "tag 1", 7)
  assert.equal(memory.find("tags", "tag 1"), 7)
})

test("a name that was looked up again since is forgotten with both of its entries", () => {
  const memory = new LabelMemory()
  memory.remember("tags", "idle", 1)
  for (let id = 2; id <= 2501; id++) memory.remember("tags", `tag ${id}`, id)
  memory.remember("tags", "idle", 1)
  memory.forget("tags", "idle")
  assert.equal(memory.find("tags", "idle"), undefined)
})

test("only the latest of very many names are cached", () => {
  const memory = new LabelMemory()
  const names = 20_001
  for (let id = 0; id < names; id++) memory.remember("tags", `tag ${id}`, id)
  const remembered = Array.from({ length: names }, (_, id) => id).filter((id) => memory.find("tags", `tag ${id}`))
  assert.ok(remembered.length >= 2500 && remembered.length <= 5000, `${remembered.length}`)
  assert.deepEqual(
    remembered,
    Array.from({ length: remembered.length }, (_, n) => names - remembered.length + n),
  )
})

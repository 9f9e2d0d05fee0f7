import assert from "node:assert/strict"
import { test } from "node:test"
import { recording } from "./recording.ts"

class Library {
  readonly books = { add: () => 1, remove: () => 2 }
  read(): number {
    return this.count()
  }
  count(): number {
    return 3
  }
}

test("a method that was not called is named, even if another method of the port called it", () => {
  const { watch, uncalled } = recording()
  const library = watch(new Library())
  assert.deepEqual(uncalled().sort(), ["books.add", "books.remove", "count", "read"])
  assert.deepEqual({ read: library.read(), add: library.books.add() }, { read: 3, add: 1 })
  assert.deepEqual(uncalled().sort(), ["books.remove", "count"])
})

test("calls on all objects of the port count together", () => {
  const { watch, uncalled } = recording()
  watch(new Library()).read()
  const other = watch(new Library())
  for (const call of [other.count, other.books.add, other.books.remove]) call()
  assert.deepEqual(uncalled(), [])
})

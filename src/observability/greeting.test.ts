import assert from "node:assert/strict"
import { test } from "node:test"
import { locationOfData } from "../kernel/network/database-hosts.ts"
import { firstKey } from "./greeting.ts"

test("the first key is printed on a terminal; other output shows only the path of its file", () => {
  const key = { secret: "psk_secret", path: "/data/first-admin-key.txt" }
  assert.ok(firstKey(key, true).includes(key.secret))
  assert.ok(!firstKey(key, false).includes(key.secret))
  for (const isTerminal of [true, false]) assert.ok(firstKey(key, isTerminal).includes(key.path))
})

test("the location of the data is shown with every host and without a password", () => {
  const url = "postgres://me:hidden@one:5433,two/petstore"
  assert.equal(locationOfData({ kind: "postgres", url }), "PostgreSQL at one:5433,two")
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { locationOfData, splitHosts } from "./database-hosts.ts"

test("a URL with several hosts is one URL for each, with the same credentials, database and parameters", () => {
  assert.deepEqual(splitHosts("postgres://me:a,b@one:5433,two/petstore?sslmode=require"), [
    "postgres://me:a,b@one:5433/petstore?sslmode=require",
    "postgres://me:a,b@two/petstore?sslmode=require",
  ])
  assert.deepEqual(splitHosts("postgres://one"), ["postgres://one"])
})

test("the location of the data has no password", () => {
  assert.equal(locationOfData({ kind: "sqlite", file: "/d/petstore.db" }), "/d/petstore.db")
  assert.equal(
    locationOfData({ kind: "postgres", url: "postgres://me:hidden@one:5433,two/p" }),
    "PostgreSQL at one:5433,two",
  )
})

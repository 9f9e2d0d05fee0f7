import assert from "node:assert/strict"
import { test } from "node:test"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { parseDatabaseUrl } from "./address.ts"

test("a URL with several hosts becomes one URL per host, in order, and a name without the password", () => {
  assert.deepEqual(
    parseDatabaseUrl(
      "postgres://me:a,b%40c@one:5433,two,[::1]:5434/petstore?sslmode=verify-full&target_session_attrs=read-write",
    ),
    {
      urls: [
        "postgres://me:a,b%40c@one:5433/petstore?sslmode=verify-full",
        "postgres://me:a,b%40c@two/petstore?sslmode=verify-full",
        "postgres://me:a,b%40c@[::1]:5434/petstore?sslmode=verify-full",
      ],
      prepare: undefined,
      name: "one:5433,two,[::1]:5434/petstore",
    },
  )
})

test("one host, or a socket of this machine, is one URL", () => {
  assert.deepEqual(parseDatabaseUrl("postgres://db/petstore?prepare=off"), {
    urls: ["postgres://db/petstore"],
    prepare: false,
    name: "db/petstore",
  })
  const socket = parseDatabaseUrl("postgres:///petstore?host=/run/postgresql")
  assert.deepEqual(socket.urls, ["postgres:///petstore?host=%2Frun%2Fpostgresql"])
  assert.equal(socket.name, "the local server/petstore")
})

test("a URL that requests a standby is refused, because the service writes", () => {
  for (const wanted of ["read-only", "standby", "any", ""])
    assert.throws(() => parseDatabaseUrl(`postgres://one,two/petstore?target_session_attrs=${wanted}`), CannotStart)
  assert.equal(parseDatabaseUrl("postgres://one,two/petstore?target_session_attrs=primary").urls.length, 2)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { greet } from "./greeting.ts"

test("the welcome names the addresses and the location of the data", () => {
  const { text } = greet(
    { host: "127.0.0.1", database: { kind: "sqlite", file: "/d/petstore.db" } },
    "http://localhost:8080",
  )
  for (const line of [
    "    Store      http://localhost:8080\n",
    "    Console    http://localhost:8080/console, user admin, password admin\n",
    "    Reference  http://localhost:8080/docs\n",
    "    API        http://localhost:8080/api/v3\n",
    "    Data       /d/petstore.db\n",
    `    Node       ${process.versions.node}, ${process.execPath}\n`,
    "    curl -H 'api_key: special-key' http://localhost:8080/api/v3/pet/1\n",
  ])
    assert.ok(text.includes(line), line)
})

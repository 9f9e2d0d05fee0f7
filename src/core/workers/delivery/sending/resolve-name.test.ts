import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../../test/harness/directory.ts"
import { startNameServer } from "../../../../../test/harness/name-server.ts"
import { createResolver, UnknownHost } from "./resolve-name.ts"

test("a name has the addresses that DNS gives it, and is asked for once at a time", async () => {
  await using names = await startNameServer((name) => (name === "pets.example" ? ["192.0.2.1", "192.0.2.2"] : []))
  const resolve = createResolver({ servers: [names.server] })
  const found = await Promise.all(["pets.example", "PETS.example.", "pets.example"].map(resolve))
  assert.deepEqual(found, Array(3).fill(["192.0.2.1", "192.0.2.2"]))
  assert.deepEqual(names.asked.toSorted(), ["pets.example A", "pets.example AAAA"])
  await assert.rejects(resolve("empty.example"), UnknownHost)
  await resolve("pets.example")
  assert.equal(names.asked.filter((each) => each === "pets.example A").length, 2)
})

test("names of the hosts file and localhost need no server, and a hosts file is read again after a change", async () => {
  await using names = await startNameServer()
  using directory = temporaryDirectory()
  const hostsFile = join(directory.path, "hosts")
  const resolve = createResolver({ servers: [names.server], hostsFile, timeoutMs: 100 })
  assert.deepEqual(await resolve("localhost"), ["127.0.0.1", "::1"])
  writeFileSync(hostsFile, "127.0.0.1\tlocalhost\n192.0.2.1 one.test Two.test # three.test\r\n::2 two.test\n")
  assert.deepEqual(await resolve("localhost"), ["127.0.0.1"])
  assert.deepEqual(await resolve("app.localhost"), ["127.0.0.1", "::1"])
  assert.deepEqual(await resolve("two.test"), ["192.0.2.1", "::2"])
  assert.deepEqual(names.asked, [])
  await assert.rejects(resolve("three.test"), UnknownHost)
})

test("a name without an answer is unknown after the time limit, and does not delay another (slow)", async () => {
  await using names = await startNameServer((name) => (name === "pets.example" ? ["192.0.2.1"] : undefined))
  const resolve = createResolver({ servers: [names.server], timeoutMs: 1000 })
  const silent = Array.from({ length: 20 }, (_, n) => assert.rejects(resolve(`silent${n}.example`), UnknownHost))
  const startedAt = performance.now()
  assert.deepEqual(await resolve("pets.example"), ["192.0.2.1"])
  assert.ok(performance.now() - startedAt < 900)
  await Promise.all(silent)
  assert.ok(performance.now() - startedAt < 3000)
})

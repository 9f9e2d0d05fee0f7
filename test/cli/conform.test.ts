import assert from "node:assert/strict"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const run = (...args: string[]) => petstoreCommand("http://127.0.0.1:9", ["conform", ...args])

test("petstore conform examines the service at the address, also without the base path", async () => {
  for (const url of [petstore.url, `${petstore.url}/api/v3/`]) {
    const { code, out, err } = await run(url, "--only", "Versions")
    assert.equal(code, 0, out)
    assert.match(out, /^Versions {2}3 of 3 passed\n {2}passed {2}saves-a-body$/m)
    assert.match(err, /3 of 3 {2}one-of-concurrent-changes {2}passed/)
  }
})

test("a promise that is missed has what was observed, the requests and the responses", async () => {
  const { code, out } = await run(
    petstore.url,
    "--only",
    "unknown-paths-are-404,limits-requests,reads-a-pet",
    "--key",
    "unknown",
  )
  assert.equal(code, 1)
  assert.match(
    out,
    /missed {2}reads-a-pet\n.*\n *Observed: POST \/pet was 401 instead of 200 or 201\n *POST \/pet {"id".* → 401 {"type"/,
  )
  const { out: unlimited } = await run(petstore.url, "--only", "says-what-is-left", "--limited-key", "unknown")
  assert.match(unlimited, /^ {2}not claimed {2}says-what-is-left$/m)
  const none = await run("http://127.0.0.1:9", "--only", "unknown-paths-are-404")
  assert.match(none.out, /Observed: GET \/no-such-path had no response: /)
})

test("what is no address is a wrong use", async () => {
  const { code, err } = await run("petstore")
  assert.equal(code, 2)
  assert.match(err, /"petstore" is not the address of an API/)
})

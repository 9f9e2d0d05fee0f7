import assert from "node:assert/strict"
import { test } from "node:test"
import { forbiddenHosts, forbiddenUrls } from "../../../../../test/harness/forbidden-addresses.ts"
import { startReceiver } from "../../../../../test/harness/receiver.ts"
import { systemClock } from "../../../kernel/clock.ts"
import { addressGuard, allowAddresses, guardTargets, RefusedAddress } from "./address-guard.ts"
import { UnknownHost } from "./resolve-name.ts"
import { openWebhookSender } from "./send.ts"

const publicAddress = "93.184.215.14"
const production = allowAddresses(false, true, [])
const noNames = async () => []

test("no spelling of a private, special or loopback address passes the guard", async () => {
  const guard = addressGuard(production, async () => [publicAddress])
  assert.ok(forbiddenHosts.length >= 40)
  for (const host of forbiddenHosts) await assert.rejects(guard(`https://${host}/`), RefusedAddress, host)
  for (const url of forbiddenUrls) await assert.rejects(guard(url), RefusedAddress, url)
})

test("public addresses pass", async () => {
  const guard = addressGuard(production, async (host) => [host])
  for (const host of ["8.8.8.8", "1.1.1.1", "[2606:4700:4700::1111]", "[2a00:1450:4001:800::200e]"])
    assert.deepEqual(await guard(`https://${host}/`), [host.replace(/[[\]]/g, "")])
})

test("one refused address among many refuses the host", async () => {
  const guard = addressGuard(production, async () => [publicAddress, "10.0.0.1"])
  await assert.rejects(guard("https://mixed.example/"), RefusedAddress)
})

test("the sandbox may send to this machine over http and nothing else, an operator to what the setting names", async () => {
  const sandbox = addressGuard(allowAddresses(true, true, []), async () => [publicAddress])
  assert.deepEqual(await sandbox("http://127.0.0.1:9/"), ["127.0.0.1"])
  await assert.rejects(sandbox("http://example.com/"), RefusedAddress)
  await assert.rejects(sandbox("http://192.168.0.1/"), RefusedAddress)
  const operator = addressGuard(allowAddresses(false, true, ["10.0.0.0/8"]), noNames)
  assert.deepEqual(await operator("https://10.1.2.3/"), ["10.1.2.3"])
  await assert.rejects(operator("http://10.1.2.3/"), RefusedAddress)
  await assert.rejects(operator("https://192.168.0.1/"), RefusedAddress)
})

test("a name without an address is unknown, and is accepted until a connection is made", async () => {
  const guard = addressGuard(production, async () => [])
  await assert.rejects(guard("https://empty.example/"), UnknownHost)
  const targets = guardTargets(guard)
  assert.equal(await targets.refusalOf("https://empty.example/"), undefined)
  assert.equal(await targets.refusalOf("https://127.0.0.1/"), "must lead to a public address")
  assert.equal(await targets.refusalOf("https://8.8.8.8/"), undefined)
})

test("a sandbox that other machines can reach sends to this machine only when the operator allows it", async () => {
  await assert.rejects(addressGuard(allowAddresses(true, false, []), noNames)("http://127.0.0.1:9/"), RefusedAddress)
  await assert.rejects(addressGuard(allowAddresses(true, false, []), noNames)("https://[::1]:9/"), RefusedAddress)
  const told = addressGuard(allowAddresses(true, false, ["127.0.0.0/8"]), noNames)
  assert.deepEqual(await told("http://127.0.0.1:9/"), ["127.0.0.1"])
})

test("a name that resolves to loopback at the connection, after a public address at the check, reaches no service", async () => {
  await using receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const answers = [[publicAddress], ["127.0.0.1"]]
  const guard = addressGuard(production, async () => answers.shift() ?? ["127.0.0.1"])
  assert.deepEqual(await guard(`https://rebinding.example:${port}/`), [publicAddress])

  const post = openWebhookSender(guard, systemClock, { connectMs: 1000, attemptMs: 1000 })
  const message = { url: `https://rebinding.example:${port}/`, headers: {}, body: "{}" }
  const outcome = await post.post(message, new AbortController().signal)
  assert.equal(outcome.error, "refused-address")
  for (const host of forbiddenHosts) {
    const direct = await post.post({ ...message, url: `https://${host}:${port}/` }, new AbortController().signal)
    assert.equal(direct.error, "refused-address", host)
  }
  assert.equal(receiver.received.length, 0)
  await post.close()
})

test("the connection goes to the checked address, even if the name resolves to another one later", async () => {
  await using receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  let asked = 0
  const resolve = async () => (asked++ === 0 ? ["127.0.0.1"] : ["10.255.255.1"])
  const post = openWebhookSender(addressGuard(allowAddresses(true, true, []), resolve), systemClock, {
    connectMs: 1000,
    attemptMs: 1000,
  })
  const message = { url: `http://moving.example:${port}/`, headers: {}, body: "{}" }
  assert.equal((await post.post(message, new AbortController().signal)).status, 204)
  assert.equal(asked, 1)
  await post.close()
})

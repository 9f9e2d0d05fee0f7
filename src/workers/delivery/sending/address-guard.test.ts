import assert from "node:assert/strict"
import { test } from "node:test"
import { startPetstore } from "../../../../test/harness/petstore.ts"
import { startReceiver } from "../../../../test/harness/receiver.ts"
import { systemClock } from "../../../kernel/clock.ts"
import { addressGuard, allowAddresses, RefusedAddress } from "./address-guard.ts"
import { createWebhookSender } from "./send.ts"

/** Spellings of forbidden addresses; `URL` parses most of them as addresses, the rest as names. */
const spellings = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",

  "127.0.0.1.",
  "１２７.０.０.１",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "0",
  "0.0.0.0",
  "0x0",
  "10.0.0.1",
  "10.1",
  "172.16.0.1",

  "172.31.255.255",
  "192.168.0.1",
  "192.168.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "0251.0376.0251.0376",

  "100.64.0.1",
  "100.100.100.200",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.51.100.1",

  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "168.63.129.16",

  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:8.8.8.8]",
  "[::127.0.0.1]",

  "[64:ff9b::7f00:1]",
  "[64:ff9b::8.8.8.8]",
  "[64:ff9b:1::1]",
  "[2002:7f00:1::]",
  "[2001:0:4136:e378::]",
  "[fc00::1]",

  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[100::1]",
  "[5f00::1]",

  "[2001:10::1]",
  "[2001:20::1]",
  "[3ffe::1]",
  "[4000::1]",
]
const others = [
  "http://example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "https://user:pw@example.com/",

  "https://user@example.com/",
  "javascript:alert(1)",
  "https://",
  "//example.com/",
  "example.com",
]
const publicAddress = "93.184.215.14"
const production = allowAddresses(false, true, [])

test("no spelling of a private, special or loopback address passes the guard", async () => {
  const guard = addressGuard(production, async () => [publicAddress])
  assert.ok(spellings.length >= 40)
  for (const host of spellings) await assert.rejects(guard(`https://${host}/`), RefusedAddress, host)
  for (const url of others) await assert.rejects(guard(url), RefusedAddress, url)
})

test("none of them can be registered or set on a webhook later", async () => {
  await using petstore = await startPetstore({
    delivery: { allowed: production, resolve: async () => [publicAddress] },
  })
  const store = petstore.as("special-key")
  const { value } = await store.createWebhook({ body: { url: "https://receiver.example/" } })
  const refused = (error: unknown) => {
    const { code, status } = (error as { problem: { code: string; status: number } }).problem
    return code === "invalid-body" && status === 422
  }
  for (const url of [...spellings.map((host) => `https://${host}/`), ...others]) {
    await assert.rejects(store.createWebhook({ body: { url } }), refused, url)
    await assert.rejects(store.updateWebhook({ params: { webhookId: value.id }, body: { url } }), refused, url)
  }
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
  const operator = addressGuard(allowAddresses(false, true, ["10.0.0.0/8"]))
  assert.deepEqual(await operator("https://10.1.2.3/"), ["10.1.2.3"])
  await assert.rejects(operator("http://10.1.2.3/"), RefusedAddress)
  await assert.rejects(operator("https://192.168.0.1/"), RefusedAddress)
})

test("a sandbox that other machines can reach sends to this machine only when the operator allows it", async () => {
  await assert.rejects(addressGuard(allowAddresses(true, false, []))("http://127.0.0.1:9/"), RefusedAddress)
  await assert.rejects(addressGuard(allowAddresses(true, false, []))("https://[::1]:9/"), RefusedAddress)
  const told = addressGuard(allowAddresses(true, false, ["127.0.0.0/8"]))
  assert.deepEqual(await told("http://127.0.0.1:9/"), ["127.0.0.1"])
})

test("a name that resolves to loopback at the connection, after a public address at the check, reaches no service", async () => {
  await using receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const addresses = [[publicAddress], ["127.0.0.1"]]
  const guard = addressGuard(production, async () => addresses.shift() ?? ["127.0.0.1"])
  assert.deepEqual(await guard(`https://rebinding.example:${port}/`), [publicAddress])

  const post = createWebhookSender(guard, systemClock, { connectMs: 1000, attemptMs: 1000 })
  const message = { url: `https://rebinding.example:${port}/`, headers: {}, body: "{}" }
  const outcome = await post.post(message, new AbortController().signal)
  assert.equal(outcome.error, "refused-address")
  for (const host of spellings) {
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
  const post = createWebhookSender(addressGuard(allowAddresses(true, true, []), resolve), systemClock, {
    connectMs: 1000,
    attemptMs: 1000,
  })
  const message = { url: `http://moving.example:${port}/`, headers: {}, body: "{}" }
  assert.equal((await post.post(message, new AbortController().signal)).status, 204)
  assert.equal(asked, 1)
  await post.close()
})

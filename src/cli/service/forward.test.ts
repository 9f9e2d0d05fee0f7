import assert from "node:assert/strict"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import { freePort } from "../../../test/harness/free-port.ts"
import { startReceiver } from "../../../test/harness/receiver.ts"
import { systemClock } from "../../core/kernel/clock.ts"
import { UsageError } from "../command/command.ts"
import { forwardTo, secretFrom } from "./forward.ts"

const world = { clock: systemClock }
const event = { id: "evt_1", body: '{"event":"pet.created","name":"Zoë"}' }

test("an event is posted with the signature of the secret, and the result is a line", async () => {
  await using receiver = await startReceiver()
  const secret = secretFrom(undefined)
  const forward = forwardTo(`${receiver.url}/hook`, secret, world)
  assert.equal(await forward(event), `[204] POST ${receiver.url}/hook`)
  const [request] = receiver.received
  assert.ok(request)
  assert.equal(request.body, event.body)
  assert.equal(request.headers["content-type"], "application/json")
  assert.equal(request.headers["content-length"], String(Buffer.byteLength(event.body)))
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = request.headers
  assert.equal(id, "evt_1")
  new Webhook(secret).verify(request.body, {
    "webhook-id": String(id),
    "webhook-timestamp": String(time),
    "webhook-signature": String(signature),
  })
})

test("a receiver that does not respond is named with the reason", async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const forward = forwardTo(`${url}/hook`, secretFrom(undefined), world)
  assert.equal(await forward(event), `[failed] POST ${url}/hook (nothing is listening at ${url}. Check the address.)`)
})

test("an address must be of HTTP", () => {
  for (const address of ["localhost:3000", "hook", "ftp://a", "httpsx://a", "xhttp://a"])
    assert.throws(
      () => forwardTo(address, secretFrom(undefined), world),
      new UsageError(
        `--forward-to is ${JSON.stringify(address)}; it must be an address such as http://localhost:3000/hook`,
      ),
    )
  for (const address of ["http://a", "https://a"]) forwardTo(address, secretFrom(undefined), world)
})

test("a secret is the base64 of a key of at least 12 bytes, by default a new one of 24", () => {
  const [one, other] = [secretFrom(undefined), secretFrom(undefined)]
  assert.match(one, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.notEqual(one, other)
  for (const secret of [`whsec_${"a".repeat(16)}`, `whsec_${"+/".repeat(9)}==`])
    assert.equal(secretFrom(secret), secret)
  for (const secret of [
    "",
    `whsec_${"a".repeat(15)}`,
    `whsec_${"a".repeat(16)}===`,
    `x${one}`,
    `${one}-`,
    "a".repeat(32),
  ])
    assert.throws(() => secretFrom(secret), new UsageError("--secret must be whsec_ followed by the base64 of the key"))
})

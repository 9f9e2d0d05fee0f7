import assert from "node:assert/strict"
import { test } from "node:test"
import { rawConnection } from "../harness/raw-http.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const credentials = "Host: petstore\r\napi_key: special-key\r\n"
const pet = JSON.stringify({ name: "last", photoUrls: [], tags: [{ name: "under way" }] })
const post = `POST /api/v3/pet HTTP/1.1\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\n\r\n${pet}`

test("on SIGTERM the service completes open requests, refuses connections, reports 503 at /readyz, and exits with 0", async () => {
  await using petstore = await spawnPetstore()
  using writing = await rawConnection(petstore.url)
  using probing = await rawConnection(petstore.url)
  using idle = await rawConnection(petstore.url)
  writing.send(post.slice(0, -10))
  probing.send(`GET /livez HTTP/1.1\r\n${credentials}\r\nGET /readyz HTTP/1.1\r\n${credentials}`)
  assert.equal((await probing.response()).status, 200)
  idle.send(`GET /livez HTTP/1.1\r\n${credentials}\r\n`)
  assert.equal((await idle.response()).status, 200)

  const ended = petstore.kill("SIGTERM")
  assert.equal(await idle.closed, "")
  // The kernel resets a connection that was waiting to be accepted when the socket closed.
  await assert.rejects(connectRepeatedly(petstore.url), { code: /^ECONN(REFUSED|RESET)$/ })
  await assert.rejects(connectRepeatedly(petstore.url), { code: "ECONNREFUSED" })

  probing.send("\r\n")
  const ready = await probing.response()
  assert.deepEqual({ status: ready.status, code: JSON.parse(ready.body).code }, { status: 503, code: "unavailable" })
  assert.equal(ready.headers.get("connection"), "close")

  writing.send(post.slice(-10))
  const written = await writing.response()
  assert.deepEqual(
    { status: written.status, connection: written.headers.get("connection") },
    { status: 200, connection: "close" },
  )
  assert.deepEqual(await ended, { code: 0, signal: null })

  await petstore.restart()
  const { value } = await petstore.as("special-key").findPetsByTags({ query: { tags: ["under way"] } })
  assert.deepEqual(value, [JSON.parse(written.body)])
})

test("a client with an unfinished request or an unread response delays the exit for no longer than the drain timeout", async () => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_DRAIN_SECONDS: "1" } })
  using writing = await rawConnection(petstore.url)
  writing.send(post.slice(0, -1))
  using reading = await rawConnection(petstore.url)
  reading.pause()
  reading.send(`GET /docs/js/scalar.js HTTP/1.1\r\n${credentials}\r\n`.repeat(20))
  await petstore.as("special-key").getPetById({ params: { petId: 1 } })

  assert.deepEqual(await petstore.kill("SIGTERM"), { code: 0, signal: null })
  await assert.rejects(writing.response(), /connection closed/)
})

test("a second SIGTERM ends the service immediately", async () => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_DRAIN_SECONDS: "600" } })
  using writing = await rawConnection(petstore.url)
  writing.send(post.slice(0, -1))
  await petstore.as("special-key").getPetById({ params: { petId: 1 } })

  const ended = petstore.kill("SIGTERM")
  await petstore.logged({ msg: "draining" })
  void petstore.kill("SIGTERM")
  assert.deepEqual(await ended, { code: 1, signal: null })
})

/** Connects until it is refused: the listening socket closes shortly after the idle connections. */
async function connectRepeatedly(url: string): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) (await rawConnection(url))[Symbol.dispose]()
}

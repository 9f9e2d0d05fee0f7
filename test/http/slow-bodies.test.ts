import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { makeImage } from "../harness/images.ts"
import { refusedAs } from "../harness/petstore.ts"
import { type RawConnection, rawConnection } from "../harness/raw-http.ts"
import { usePetstore } from "../harness/use.ts"

const timeoutMs = 400
const uploadGraceMs = 1_500
const ofOneMax = 16

const petstore = usePetstore({ pace: { timeoutMs, uploadGraceMs, checkMs: 50 } })

const unfinished = (path: string, type: string) =>
  `POST /api/v3${path} HTTP/1.1\r\nHost: x\r\napi_key: special-key\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\nx`

async function assertCut(connection: RawConnection): Promise<void> {
  const { status, body } = await connection.response()
  assert.deepEqual({ status, code: JSON.parse(body).code }, { status: 408, code: "request-timeout" })
  await connection.closed
}

test("a body that is incomplete after the timeout is cut, and its connection ends (slow)", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(unfinished("/pet", "application/json"))
  await assertCut(connection)
})

test("slow uploads of one account leave room for others, are refused from the seventeenth on, and are cut (slow)", async () => {
  const staged = () => readdirSync(join(petstore.imageDirectory, "staged"))
  const dripping = await Promise.all(Array.from({ length: ofOneMax }, () => rawConnection(petstore.url)))
  for (const connection of dripping) connection.send(unfinished("/pet/1/uploadImage", "image/png"))
  while (staged().length < ofOneMax) await new Promise(setImmediate)

  const upload = new Blob([new Uint8Array(await makeImage("png"))])
  const uploadAs = (key: string) => petstore.as(key).uploadFile({ params: { petId: 1 }, upload })
  await assert.rejects(uploadAs("special-key"), refusedAs("unavailable"))
  assert.equal((await uploadAs("pro-key")).value.code, 200)

  await Promise.all(dripping.map(assertCut))
  while (staged().length > 0) await new Promise(setImmediate)
  assert.equal((await uploadAs("special-key")).value.code, 200)
})

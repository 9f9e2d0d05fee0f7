import assert from "node:assert/strict"
import type { ServerResponse } from "node:http"
import { Writable } from "node:stream"
import { test } from "node:test"
import { pieceBytes, sendPieces } from "./send-pieces.ts"

/** A client that takes what is sent only when the test lets it, after so many bytes that it takes immediately. */
function slowClient(highWaterMark: number) {
  const taken: number[] = []
  let resume: () => void = () => undefined
  const response = new Writable({
    highWaterMark,
    write(bytes: Buffer, _encoding, done) {
      taken.push(bytes.length)
      resume = done
    },
  })
  return { response: response as unknown as ServerResponse, taken, resume: () => resume() }
}

test("each piece is sent after the client has taken the one before", async () => {
  const { response, taken, resume } = slowClient(1)
  sendPieces(response, Buffer.alloc(2 * pieceBytes + 5))
  for (const sizes of [[pieceBytes], [pieceBytes, pieceBytes], [pieceBytes, pieceBytes, 5]]) {
    assert.deepEqual(taken, sizes)
    assert.equal(response.writableLength, sizes.at(-1))
    resume()
    await new Promise(setImmediate)
  }
  assert.equal(response.writableFinished, true)
  assert.equal(response.listenerCount("drain"), 0)
})

test("a client that takes everything gets all pieces at once, the last one with the end", () => {
  for (const length of [0, 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes]) {
    const sent: number[] = []
    let ends = 0
    const response = {
      on: () => response,
      off: () => response,
      write: (piece: Buffer) => sent.push(piece.length) > 0,
      end: (piece: Buffer) => sent.push(piece.length) > 0 && ends++,
    } as unknown as ServerResponse
    sendPieces(response, Buffer.alloc(length))
    assert.equal(ends, 1)
    assert.equal(sent.length, Math.max(1, Math.ceil(length / pieceBytes)))
    assert.equal(
      sent.reduce((sum, bytes) => sum + bytes, 0),
      length,
    )
  }
})

const pieces = 10
const pieceEveryMs = 300
/** Long enough for the first half to be sent. */
const cutAfterMs = 50

/** Pauses for so many milliseconds. */
type Pause = (ms: number) => Promise<unknown>

/** The bytes in ten pieces over three seconds. */
export async function* inPieces(bytes: Uint8Array, pause: Pause): AsyncGenerator<Uint8Array> {
  const length = Math.ceil(bytes.length / pieces)
  for (let start = 0; start < bytes.length; start += length) {
    if (start > 0) await pause(pieceEveryMs)
    yield bytes.subarray(start, start + length)
  }
}

/** The first half of the bytes, then an error like that of a connection that was closed. `start` is called before them. */
export async function* cutInHalf(bytes: Uint8Array, pause: Pause, start = () => {}): AsyncGenerator<Uint8Array> {
  start()
  yield bytes.subarray(0, bytes.length / 2)
  await pause(cutAfterMs)
  throw Object.assign(new Error("the rest is withheld on request"), { code: "ECONNRESET" })
}

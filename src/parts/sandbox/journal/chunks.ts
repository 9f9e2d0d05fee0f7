const chunkBytes = 64 * 1024

/** Memory outside the heap of JavaScript, which all journals of a process share and use again. */
export class Chunks {
  readonly #free: Buffer[] = []
  readonly #freeMax: number

  constructor(bytesMax: number) {
    this.#freeMax = bytesMax / chunkBytes
  }

  take(bytes: number): Buffer {
    const free = bytes > chunkBytes ? undefined : this.#free.pop()
    return free ?? Buffer.allocUnsafeSlow(Math.max(bytes, chunkBytes))
  }

  release(chunk: Buffer): void {
    if (chunk.length === chunkBytes && this.#free.length < this.#freeMax) this.#free.push(chunk)
  }
}

import { HeldBytes } from "./held-bytes.ts"
import type { Line } from "./lines.ts"

/** The bytes of an object, element or text, which may be in several chunks. */
export class JsonPart {
  #held = new HeldBytes()
  #start: number | undefined
  #number = 0

  get isOpen(): boolean {
    return this.#start !== undefined
  }

  /** Starts the part, unless it has started. */
  open(at: number, line: number): void {
    if (this.#start !== undefined) return
    this.#start = at
    this.#number = line
  }

  /** Holds the bytes of a chunk that ends within the part. */
  hold(chunk: Uint8Array): void {
    if (this.#start === undefined) return
    this.#held.add(chunk.subarray(this.#start))
    this.#start = 0
  }

  close(rest: Uint8Array, end: number, isUnended = false): Line {
    this.#held.add(rest.subarray(this.#start, end))
    this.#start = undefined
    return { number: this.#number, bytes: this.#held.take(), isUnended }
  }
}

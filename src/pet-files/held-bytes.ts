import { petBytesMax } from "../core/domain/pets/contract.ts"

/** Buffers the bytes of one line, unless it is longer than any pet. */
export class HeldBytes {
  #parts: Uint8Array[] = []
  #count = 0

  /** Adds bytes; undefined for a part that is too long by itself. */
  add(part: Uint8Array | undefined): void {
    this.#count += part?.length ?? petBytesMax + 1
    if (part && !this.isTooLong) this.#parts.push(part)
    else this.#parts = []
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  get isTooLong(): boolean {
    return this.#count > petBytesMax
  }

  /** Returns and clears the bytes; undefined when they are too long. */
  take(): Uint8Array | undefined {
    const [parts, isTooLong] = [this.#parts, this.isTooLong]
    this.#parts = []
    this.#count = 0
    if (isTooLong) return undefined
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }
}

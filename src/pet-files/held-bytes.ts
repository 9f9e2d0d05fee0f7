import { petBytesMax } from "../domain/pets/contract.ts"

/** The bytes of one line as they come; those of a line longer than any pet are not kept. */
export class HeldBytes {
  #parts: Uint8Array[] = []
  #count = 0

  /** Adds the next bytes; undefined for bytes that are too many by themselves. */
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

  /** Gives them away; undefined when they are too long. */
  take(): Uint8Array | undefined {
    const [parts, isTooLong] = [this.#parts, this.isTooLong]
    this.#parts = []
    this.#count = 0
    if (isTooLong) return undefined
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }
}

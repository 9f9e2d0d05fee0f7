/** The bytes do not have the structure of their format, or end too early. */
export class Damaged extends Error {}

/** Reads bytes from front to back; running out of them throws Damaged. */
export class ByteReader {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  take(count: number): Buffer {
    if (count < 0 || this.at + count > this.bytes.length) throw new Damaged("it ends too early")
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }

  byte(): number {
    return this.take(1)[0] as number
  }
}

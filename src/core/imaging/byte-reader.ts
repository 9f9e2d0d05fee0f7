/** The bytes violate their format or are truncated. */
export class Damaged extends Error {}

/** Reads bytes sequentially; throws Damaged at the end of the data. */
export class ByteReader {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  take(count: number): Buffer {
    if (count < 0 || this.at + count > this.bytes.length) throw new Damaged("it is truncated")
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }

  byte(): number {
    return this.take(1)[0] as number
  }
}

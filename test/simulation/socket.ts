import { Duplex } from "node:stream"

/** The client's end of a connection, as the driver uses it. */
export class Socket extends Duplex {
  readonly #accept: (socket: Socket) => Promise<void>
  onData: (bytes: Buffer) => void = () => {}
  onClose: () => void = () => {}

  constructor(accept: (socket: Socket) => Promise<void>) {
    super({ allowHalfOpen: false })
    this.#accept = accept
  }

  connect(): void {
    void this.#accept(this)
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.onData(bytes)
    done()
  }

  override _final(done: () => void): void {
    this.onClose()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.onClose()
    done(error)
  }
}

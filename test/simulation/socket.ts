import { Duplex } from "node:stream"

/** The client's end of a connection, as the driver uses it. */
export class Socket extends Duplex {
  readonly #accept: (socket: Socket) => Promise<void>
  #onData: (bytes: Buffer) => void = () => {}
  #onClose: () => void = () => {}
  connecting = true
  #timeout: NodeJS.Timeout | undefined

  constructor(accept: (socket: Socket) => Promise<void>) {
    super({ allowHalfOpen: false })
    this.#accept = accept
  }

  connect(): void {
    void this.#accept(this)
  }

  /** The server accepts the connection. It serves what it reads in the bytes one after the other, and then the end. */
  open<T>(read: (bytes: Buffer) => Iterable<T>, serve: (request: T) => Promise<void>, end: () => void): void {
    let done = Promise.resolve()
    this.#onData = (bytes) => {
      for (const request of read(bytes)) done = done.then(() => serve(request))
    }
    this.#onClose = () => {
      done = done.then(end)
    }
    this.connecting = false
    this.emit("connect")
  }

  /** Of a connection that is not accepted in time; others have no timeout. */
  setTimeout(ms: number, onTimeout?: () => void): void {
    clearTimeout(this.#timeout)
    if (ms > 0 && onTimeout) this.#timeout = setTimeout(onTimeout, ms)
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#onData(bytes)
    done()
  }

  override _final(done: () => void): void {
    this.#onClose()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#onClose()
    done(error)
  }
}

export const systemError = (code: string) => Object.assign(new Error(`read ${code}`), { code, syscall: "read" })

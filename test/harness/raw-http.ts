import { once } from "node:events"
import { connect } from "node:net"

/** One response as received; header names in lower case. */
export type RawResponse = { status: number; headers: Headers; body: string }

/** A TCP connection for handwritten HTTP messages: valid, invalid or incomplete. */
export type RawConnection = Disposable & {
  send(bytes: string | Uint8Array): void
  /** The next response; rejects when the connection closes before it is complete. `to` is the request's method: a response to HEAD has no body. */
  response(to?: "HEAD"): Promise<RawResponse>
  /** Resolves with the unread bytes when the server has closed the connection, cleanly or not. */
  closed: Promise<string>
  /** Stops reading from the connection. */
  pause(): void
  /** Resumes reading. */
  resume(): void
  readonly isClosed: boolean
}

export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = Buffer.alloc(0)
  let arrived = Promise.withResolvers<void>()
  const notify = () => {
    arrived.resolve()
    arrived = Promise.withResolvers()
  }
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    notify()
  })
  socket.on("error", () => {})
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve())).then(() => {
    notify()
    return received.toString()
  })
  await Promise.race([once(socket, "connect"), once(socket, "error").then(([error]) => Promise.reject(error))])

  async function until<T>(take: () => T | undefined): Promise<T> {
    for (;;) {
      const taken = take()
      if (taken !== undefined) return taken
      if (socket.closed) throw new Error(`the connection closed after ${JSON.stringify(received.toString())}`)
      await arrived.promise
    }
  }

  return {
    send: (bytes) => void socket.write(Buffer.from(bytes as string)),
    response: (to) =>
      until(() => {
        const [response, length] = parsed(received, to === "HEAD") ?? []
        if (length !== undefined) received = received.subarray(length)
        return response
      }),
    closed,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    get isClosed() {
      return socket.closed
    },
    [Symbol.dispose]: () => socket.destroy(),
  }
}

/** Sends one message on a new connection and resolves with the first response. */
export async function exchange(url: string, message: string | Uint8Array): Promise<RawResponse> {
  using connection = await rawConnection(url)
  connection.send(message)
  return await connection.response(message.toString().startsWith("HEAD ") ? "HEAD" : undefined)
}

/** The first complete response in the bytes and its length; undefined while bytes are missing. */
function parsed(bytes: Buffer, toHead: boolean): [RawResponse, number] | undefined {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
  const headers = new Headers(lines.map((line) => [line.split(":", 1)[0] as string, line.slice(line.indexOf(":") + 1)]))
  const status = Number(statusLine.split(" ")[1])
  const hasBody = !toHead && status >= 200 && status !== 204 && status !== 304
  const length = hasBody ? Number(headers.get("content-length") ?? 0) : 0
  const stop = end + 4 + length
  if (bytes.length < stop) return undefined
  return [{ status, headers, body: bytes.toString("utf8", end + 4, stop) }, stop]
}

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * A proxy that forwards everything byte for byte. It calls `passing` for each response after the service sent it and before the
 * client receives it. When `passing` throws, or the service has ended, the proxy closes the client's connection.
 */
export async function startGate(target: () => string, passing: (responses: number) => Promise<void> | void) {
  let responses = 0
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
      const upstream = await fetch(target() + request.url, {
        method: request.method as string,
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          ["host", "connection", "content-length", "transfer-encoding"].includes(name) ? [] : [[name, String(value)]],
        ) as [string, string][],
        ...(body.length > 0 && { body }),
      })
      const text = await upstream.text()
      responses += 1
      await passing(responses)
      response.writeHead(upstream.status, { "content-type": upstream.headers.get("content-type") ?? "" }).end(text)
    })().catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

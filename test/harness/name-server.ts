import { createSocket } from "node:dgram"

/** The types of DNS records that are asked for (RFC 1035 section 3.2.2, RFC 3596). */
const types: Record<number, "A" | "AAAA"> = { 1: "A", 28: "AAAA" }

/** A DNS server on this machine that answers with these IPv4 addresses, or not at all; it notes what it is asked. */
export async function startNameServer(addressesOf: (name: string) => string[] | undefined = () => undefined) {
  const asked: string[] = []
  const socket = createSocket("udp4", (query, from) => {
    const labels: string[] = []
    let end = 12
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString("latin1", end + 1, end + 1 + length))
      end += 1 + length
    }
    const type = types[query.readUInt16BE(end + 1)]
    asked.push(`${labels.join(".")} ${type}`)
    const addresses = addressesOf(labels.join("."))
    if (addresses === undefined) return
    const answers = type === "A" ? addresses.map(recordOf) : []
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** An A record of the name in the question, valid for a minute. */
const recordOf = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)])

/** A value of a statement as PostgreSQL's protocol carries it. */
export type WireValue = string | Buffer | null

/** What a client asks for: a connection, a statement (`isSimple`: one or several without values), or the end. */
export type Request =
  | { kind: "start"; parameters: ReadonlyMap<string, string> }
  | { kind: "query"; text: string; values: readonly WireValue[]; isSimple: boolean; isParsed: boolean }
  | { kind: "end" }

/** The columns of a result, and its rows. */
export type Table = { names: readonly string[]; rows: readonly Record<string, unknown>[] }

/** What became of a statement: the tag of its command, or the code of its error (PostgreSQL manual, appendix A). */
export type Reply = { tag: string; table?: Table } | { code: string }

/** Returns what reads the messages of one client: of the simple query protocol, and of the extended one up to each Sync. */
export function createReader(): (bytes: Buffer) => Request[] {
  const texts = new Map<string, string>()
  let unread: Buffer = Buffer.alloc(0)
  let hasStarted = false
  let bound = { text: "", values: [] as WireValue[] }
  let isParsed = false

  function read(type: string, fields: Fields): Request | undefined {
    if (type === "") return { kind: "start", parameters: readParameters(fields) }
    if (type === "X") return { kind: "end" }
    if (type === "Q") return { kind: "query", text: fields.text(), values: [], isSimple: true, isParsed: false }
    if (type === "P") {
      texts.set(fields.text(), fields.text())
      isParsed = true
    }
    if (type === "B") bound = readBind(fields, texts)
    if (type !== "S") return undefined
    const request: Request = { kind: "query", ...bound, isSimple: false, isParsed }
    isParsed = false
    return request
  }

  return (bytes) => {
    const requests: Request[] = []
    unread = Buffer.concat([unread, bytes])
    for (;;) {
      const start = hasStarted ? 1 : 0
      const length = unread.length < start + 4 ? Number.POSITIVE_INFINITY : start + unread.readInt32BE(start)
      if (unread.length < length) return requests
      const request = read(unread.toString("latin1", 0, start), fieldsOf(unread.subarray(start + 4, length)))
      unread = unread.subarray(length)
      hasStarted = true
      if (request) requests.push(request)
    }
  }
}

type Fields = { text(): string; int16(): number; value(): Buffer | null }

function fieldsOf(body: Buffer): Fields {
  let at = 0
  const take = (bytes: number) => {
    at += bytes
    return body.subarray(at - bytes, at)
  }
  return {
    text: () =>
      take(body.indexOf(0, at) + 1 - at)
        .toString("utf8")
        .slice(0, -1),
    int16: () => take(2).readInt16BE(),
    value() {
      const length = take(4).readInt32BE()
      return length < 0 ? null : take(length)
    },
  }
}

function readParameters(fields: Fields): Map<string, string> {
  const parameters = new Map<string, string>()
  fields.int16()
  fields.int16()
  for (let name = fields.text(); name !== ""; name = fields.text()) parameters.set(name, fields.text())
  return parameters
}

function readBind(fields: Fields, texts: ReadonlyMap<string, string>) {
  fields.text()
  const text = texts.get(fields.text()) ?? ""
  const isBinary = Array.from({ length: fields.int16() }, () => fields.int16() === 1)
  const values = Array.from({ length: fields.int16() }, (_, n) => {
    const value = fields.value()
    return isBinary[n] ? value : (value?.toString("utf8") ?? null)
  })
  return { text, values }
}

/** What a server sends when it has accepted a connection. */
export const greeting = (id: number): Buffer =>
  Buffer.concat([message("R", int32(0)), message("K", int32(id), int32(id)), ready("I")])

/** The reply to a statement; `status` is that of the transaction after it. The last one of a connection is not followed by it. */
export function writeReply(
  { isSimple, isParsed }: Extract<Request, { kind: "query" }>,
  reply: Reply,
  status: "I" | "T" | "E" | "ended",
): Buffer {
  const messages = isParsed ? [message("1")] : []
  if ("code" in reply) messages.push(message("E", ...errorFields(reply.code), Buffer.of(0)))
  else {
    if (!isSimple) messages.push(message("2"))
    if (reply.table) messages.push(...writeTable(reply.table))
    else if (!isSimple) messages.push(message("n"))
    messages.push(message("C", text(reply.tag)))
  }
  return Buffer.concat(status === "ended" ? messages : [...messages, ready(status)])
}

const errorFields = (code: string) => ["SERROR", "VERROR", `C${code}`, `M${code} of the simulation`].map(text)

function writeTable({ names, rows }: Table): Buffer[] {
  const columns = names.map((name) => {
    const { oid } = kindOf(rows.map((row) => row[name]).find((value) => value !== null))
    return Buffer.concat([text(name), int32(0), int16(0), int32(oid), int16(-1), int32(-1), int16(0)])
  })
  return [
    message("T", int16(names.length), ...columns),
    ...rows.map((row) => message("D", int16(names.length), ...names.map((name) => writeValue(row[name])))),
  ]
}

function writeValue(value: unknown): Buffer {
  if (value === null || value === undefined) return int32(-1)
  const bytes = Buffer.from(kindOf(value).write(value))
  return Buffer.concat([int32(bytes.length), bytes])
}

/** The types that our columns have, by their numbers in PostgreSQL's catalogue. */
function kindOf(value: unknown): { oid: number; write(value: unknown): string } {
  if (typeof value === "number") return { oid: 20, write: String }
  if (typeof value === "boolean") return { oid: 16, write: (value) => (value ? "t" : "f") }
  if (value instanceof Uint8Array)
    return { oid: 17, write: (value) => `\\x${Buffer.from(value as Uint8Array).toString("hex")}` }
  return { oid: 25, write: String }
}

const ready = (status: string) => message("Z", Buffer.from(status))
const text = (value: string) => Buffer.from(`${value}\0`)

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function message(type: string, ...fields: readonly Buffer[]): Buffer {
  const body = Buffer.concat(fields)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

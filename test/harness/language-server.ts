import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "..", "..")

type Message = { id?: number; method?: string; result?: unknown; error?: { message: string } }

/** TypeScript's language server (Language Server Protocol over standard input and output), which sees one file with this text. */
export async function openLanguageServer(path: string, text: string) {
  const server = spawn(join(root, "node_modules", ".bin", "tsc"), ["--lsp", "--stdio"], { cwd: root })
  const waiting = new Map<number, (message: Message) => void>()
  let received = Buffer.alloc(0)
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const head = received.indexOf("\r\n\r\n")
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, head).toString())?.[1])
      if (head < 0 || received.length < head + 4 + length) return
      const message = JSON.parse(received.subarray(head + 4, head + 4 + length).toString()) as Message
      received = received.subarray(head + 4 + length)
      if (message.method === undefined) waiting.get(message.id as number)?.(message)
      // It waits for a response to its own requests.
      else if (message.id !== undefined) send({ id: message.id, result: null })
    }
  })
  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  let count = 0
  async function request(method: string, params: object): Promise<unknown> {
    const id = ++count
    send({ id, method, params })
    const { result, error } = await new Promise<Message>((resolve) => waiting.set(id, resolve))
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  const uri = pathToFileURL(join(root, path)).href
  await request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: { textDocument: { hover: { contentFormat: ["markdown"] } } },
  })
  send({ method: "initialized", params: {} })
  send({
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
  })
  const textDocument = { uri }
  return {
    /** What an editor shows for the first occurrence of a word: code and documentation, in Markdown. */
    async hover(word: string): Promise<string> {
      const before = text.slice(0, text.indexOf(word)).split("\n")
      const position = { line: before.length - 1, character: (before.at(-1) as string).length }
      const shown = (await request("textDocument/hover", { textDocument, position })) as { contents: { value: string } }
      return shown.contents.value
    },
    /** The messages of the errors in the file. */
    async errors(): Promise<string[]> {
      const { items } = (await request("textDocument/diagnostic", { textDocument })) as { items: { message: string }[] }
      return items.map(({ message }) => message)
    },
    async [Symbol.asyncDispose]() {
      server.kill()
      await once(server, "exit")
    },
  }
}

import { text } from "node:stream/consumers"
import { type Terminal, UsageError } from "./command.ts"

/** Reads a password at a prompt without echo, or from standard input when that is not a terminal. Throws UsageError when it is empty. */
export async function readSecret({ askSecret, stdin }: Terminal, question: string): Promise<string> {
  const line = await (askSecret?.(question) ?? text(stdin))
  const secret = line.replace(/\r?\n$/, "")
  if (secret === "") throw new UsageError("no password; enter it at the prompt, or send it to standard input")
  return secret
}

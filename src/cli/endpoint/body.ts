import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { parseJson } from "../../core/kernel/json/parse-json.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { type CommandInput, type Flag, one, type Terminal, UsageError } from "../command/command.ts"
import { describeFileError } from "../command/file-error.ts"
import { kebab } from "./endpoint-flags.ts"

/** The body from `--body` and the flags of its fields; throws UsageError when they are invalid. */
export async function readBodyFlag(
  endpoint: Endpoint,
  flags: readonly Flag[],
  fields: Record<string, unknown>,
  input: CommandInput,
  terminal: Terminal,
): Promise<unknown> {
  const source = one(input, "body")
  if (source === undefined) {
    await refuseMissing(endpoint, flags, fields)
    return fields
  }
  const body = await readJson(source, terminal)
  if (Object.keys(fields).length === 0) return body
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new UsageError("flags can replace fields only if --body is a JSON object")
  return { ...body, ...fields }
}

/** The JSON value of a flag `--body`: in the flag itself, in a file (`@FILE`), or on standard input (`-`). Throws UsageError. */
export const readJson = async (source: string, terminal: Terminal): Promise<unknown> =>
  parseBody(await readBytes(source, terminal))

export async function readFileFlag(input: CommandInput, terminal: Terminal): Promise<Uint8Array<ArrayBuffer>> {
  const path = one(input, "file")
  if (path === undefined) throw new UsageError("--file is missing")
  return new Uint8Array(path === "-" ? await buffer(terminal.stdin) : await readContents(path, "--file"))
}

/** Throws UsageError when the body lacks a member. It names what is wrong with the others too, as the service would. */
async function refuseMissing(
  { body }: Endpoint,
  flags: readonly Flag[],
  fields: Record<string, unknown>,
): Promise<void> {
  const { required = [], properties } = body as JsonSchema
  if (!properties) throw new UsageError("--body is missing")
  const missing = required.filter((name) => !(name in fields))
  if (missing.length === 0) return
  const ways = missing.map((name) => {
    const flag = flags.find((each) => each.name === kebab(name))
    return flag === undefined ? "--body" : `--${flag.name}${flag.many ? ' (repeated for several, "" for none)' : ""}`
  })
  const lacking = `the body is missing ${joinWords(missing)}; set ${joinWords([...new Set(ways)])}, or --body`
  throw new UsageError([lacking, ...(await describeWrong(body as Body, fields))].join("; "))
}

type Body = NonNullable<Endpoint["body"]>

/** What is wrong with the values of flags. Loads the check of schemas, which commands do not need otherwise. */
async function describeWrong(schema: Body, fields: Record<string, unknown>): Promise<string[]> {
  const { checkOf } = await import("../../core/kernel/schema/check.ts")
  return checkOf(schema)(fields).flatMap((violation) => {
    const [, name = ""] = "pointer" in violation ? violation.pointer.split("/") : []
    return name in fields ? [`--${kebab(name)} ${violation.detail}`] : []
  })
}

const joinWords = (words: readonly string[]): string => words.join(" and ")

async function readBytes(source: string, terminal: Terminal): Promise<Uint8Array> {
  if (source === "-") return buffer(terminal.stdin)
  return source.startsWith("@") ? readContents(source.slice(1), "--body") : Buffer.from(source)
}

async function readContents(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new UsageError(`${flag} cannot be read: ${describeFileError(path, error)}`)
  }
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch (error) {
    throw new UsageError(`--body is not valid JSON in UTF-8: ${(error as Error).message}`)
  }
}

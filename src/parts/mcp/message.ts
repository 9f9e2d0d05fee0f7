import { parseJson } from "../../core/kernel/json/parse-json.ts"

type Params = Readonly<Record<string, unknown>>

/** A message of JSON-RPC as far as its form is known. */
export type RpcMessage = { method?: unknown; params?: Params }

/** Whether a message calls a tool. */
export const isCall = ({ method }: RpcMessage): boolean => method === "tools/call"

/**
 * The message that a client means: null stands for parameters that are absent, an empty list and the text of an object for arguments,
 * and the arguments of a prompt are texts.
 */
export function readMessage(received: unknown): unknown {
  if (!isObject(received) || !("params" in received)) return received
  const message = firstMembers(received)
  if (message.params === null) delete message.params
  if (!isObject(message.params)) return message
  const params = firstMembers(message.params)
  message.params = params
  for (const name in params) if (params[name] === null) delete params[name]
  if (params.arguments !== undefined)
    params.arguments = readArguments(params.arguments, message.method === "prompts/get")
  if (params.arguments === undefined) delete params.arguments
  return message
}

/** No message and no tool has as many members: with more, some are unknown, and the others need not be looked at. */
const membersMax = 100

function firstMembers(values: object): Record<string, unknown> {
  const first: [string, unknown][] = []
  for (const name in values) {
    if (first.length === membersMax) break
    first.push([name, (values as Record<string, unknown>)[name]])
  }
  return Object.fromEntries(first)
}

function readArguments(values: unknown, areTexts: boolean): unknown {
  const known = typeof values === "string" ? (objectIn(values) ?? values) : values
  if (Array.isArray(known) && known.length === 0) return undefined
  if (!isObject(known)) return known
  const first = firstMembers(known)
  if (!areTexts) return first
  const given = Object.entries(first).filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === "object" ? value : String(value)]))
}

function objectIn(text: string): Params | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The message to a client; the issues that a validator lists as JSON become a sentence. */
export function writeMessage<Sent extends object>(message: Sent): Sent {
  if (!("error" in message) || !isObject(message.error)) return message
  const { message: text } = message.error
  const [, before = "", listed = ""] = /^([^[]*?)(?:: )?(\[\s*\{.*\}\s*\])$/s.exec(String(text)) ?? []
  const issues = readIssues(listed)
  if (!issues) return message
  const sentence = issues
    .slice(0, issuesMax)
    .map(({ path, message: issue }) => `${path.join(".")}: ${issue}`)
    .join("; ")
  return {
    ...message,
    error: { ...message.error, code: invalidParams, message: `${before || "Invalid params"}: ${sentence}` },
  }
}

type Issue = { path: (string | number)[]; message: string }

/** Undefined for what is none: the text of an error may end with the text of a caller. */
function readIssues(listed: string): Issue[] | undefined {
  try {
    const issues: Issue[] = JSON.parse(listed)
    return issues.every(({ path, message }) => Array.isArray(path) && typeof message === "string") ? issues : undefined
  } catch {
    return undefined
  }
}

const issuesMax = 10
/** JSON-RPC 2.0 section 5.1. */
const invalidParams = -32602

import { Refused } from "../../client/client.ts"
import type { Violation } from "../../core/kernel/problem.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { type Tool, WrongArguments } from "./tool.ts"

/** Why a call failed and what a model can do about it; undefined for an error of the program. */
export function explainCall(error: unknown, { listed, argumentAt }: Tool): string | undefined {
  const usage = `Call it as ${listed.name}(${signatureOf(listed.inputSchema as JsonSchema)})`
  if (error instanceof WrongArguments) return `${error.message}\n${usage}`
  if (!(error instanceof Refused)) return undefined
  const { problem, headers, errors, code, status } = error
  const retryAfter = headers.get("retry-after")
  // The detail of a list of violations repeats the first, and that of an unexpected response has the address.
  const reason = code === "unknown" ? "The response cannot be read" : errors.length > 0 ? problem.title : problem.detail
  return [
    `${reason} (${code}, ${status})`,
    ...errors.map((violation) => `- ${argumentOf(violation, argumentAt)} ${violation.detail}`),
    ...(errors.length > 0 ? [usage] : []),
    ...(retryAfter === null ? [] : [`Try again in ${retryAfter} s`]),
  ].join("\n")
}

const argumentOf = (violation: Violation, argumentAt: Tool["argumentAt"]): string =>
  "pointer" in violation ? argumentAt(violation.pointer) || "The body" : violation.parameter

/** `{ name: string, photoUrls: string[], status?: "available" | "sold" }` */
function signatureOf({ properties = {}, required = [] }: JsonSchema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${typeIn(schema)}`,
  )
  return members.length > 0 ? `{ ${members.join(", ")} }` : ""
}

const bracketed = (type: string): string => (type.includes(" | ") && !type.startsWith("{") ? `(${type})` : type)

function typeIn(schema: JsonSchema): string {
  const { type, items, properties } = schema
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ")
  const written = {
    array: `${items ? bracketed(typeIn(items)) : "any"}[]`,
    object: properties ? signatureOf(schema) : "object",
  }
  return Object.hasOwn(written, String(type)) ? written[type as keyof typeof written] : String(type)
}

import { jsonType, xmlType } from "../../kernel/media-types.ts"
import { Problem } from "../../kernel/problem.ts"

/** Whether `Accept` (RFC 9110 section 12.5.1) leaves room for JSON; the most specific range that matches decides. */
const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined || accept === "*/*" || accept === jsonType || qualityOf(jsonType, accept) > 0

/** Throws the 406 when `Accept` rules out the one form an operation's result has. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (acceptsJson(accept)) return
  throw new Problem("not-acceptable", `The response is application/json, which Accept: ${accept} rules out`)
}

/** Whether `Accept` puts XML before JSON, and before HTML: browsers name XML too, and JSON is what they show best. */
export const prefersXml = (accept: string | undefined): boolean =>
  accept !== undefined &&
  namesXml.test(accept) &&
  qualityOf(xmlType, accept) > Math.max(qualityOf(jsonType, accept), qualityOf("text/html", accept))

const namesXml = /\/xml/i

/** Whether whoever sent this `Accept` would rather read a page than JSON: a browser that follows a link. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && qualityOf("text/html", accept) > qualityOf(jsonType, accept)

function qualityOf(type: string, accept: string): number {
  const quality = new Map<string, number>()
  for (const range of accept.split(",").filter((part) => part.trim() !== "")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith("q="))
    const value = Number(weight?.slice(2))
    quality.set(name, Number.isNaN(value) ? 1 : value)
  }
  if (quality.size === 0) return 1
  const decisive = [type, type.replace(/\/.*/, "/*"), "*/*"].find((range) => quality.has(range))
  return decisive === undefined ? 0 : (quality.get(decisive) as number)
}

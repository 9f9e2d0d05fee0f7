import { eventStreamType, jsonType, xmlType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"

/** Whether the response is XML, where it may be; throws the 406 when `Accept` (RFC 9110 section 12.5.1) rules out what is left. */
export function chooseXml(accept: string, hasXml: boolean): boolean {
  if (hasXml && prefersXml(accept)) return true
  if (accept === "*/*" || qualityOf(jsonType, accept) > 0) return false
  const forms = hasXml ? `${jsonType} or ${xmlType}` : jsonType
  throw new Problem("not-acceptable", `The response is ${forms}, which Accept: ${accept} rules out`)
}

/** Throws the 406 when `Accept` rules out an event stream. */
export function requireEventStream(accept: string | undefined): void {
  if (accept === undefined || qualityOf(eventStreamType, accept) > 0) return
  throw new Problem("not-acceptable", `The response is ${eventStreamType}, which Accept: ${accept} rules out`)
}

/** Whether `Accept` puts XML before JSON. Browsers do, behind HTML; JSON is what they show best, if they take it. */
export function prefersXml(accept: string | undefined): boolean {
  if (accept === undefined || !namesXml.test(accept)) return false
  const [xml, json] = [qualityOf(xmlType, accept), qualityOf(jsonType, accept)]
  return xml > json && (json === 0 || xml > qualityOf("text/html", accept))
}

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

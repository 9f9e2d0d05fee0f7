import { eventStreamType, jsonType, xmlType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"
import { canonicalType } from "./media-type.ts"

/** Whether the response is XML, where the endpoint offers it. Throws the 406 when `Accept` (RFC 9110 section 12.5.1) excludes everything on offer. */
export function chooseXml(accept: string, hasXml: boolean): boolean {
  if (hasXml && prefersXml(accept)) return true
  if (accept === "*/*" || qualityOf(jsonType, accept) > 0) return false
  const forms = hasXml ? `${jsonType} or ${xmlType}` : jsonType
  throw new Problem("not-acceptable", `The response is ${forms}, which Accept: ${accept} excludes`)
}

/** Throws the 406 when `Accept` excludes an event stream. */
export function requireEventStream(accept: string | undefined): void {
  if (accept === undefined || qualityOf(eventStreamType, accept) > 0) return
  throw new Problem("not-acceptable", `The response is ${eventStreamType}, which Accept: ${accept} excludes`)
}

/** Whether `Accept` prefers XML to JSON. Browsers do, after HTML; they get JSON when they accept it, because they show it better. */
export function prefersXml(accept: string | undefined): boolean {
  if (accept === undefined || !namesXml.test(accept)) return false
  const [xml, json] = [qualityOf(xmlType, accept), qualityOf(jsonType, accept)]
  return xml > json && (json === 0 || xml > qualityOf("text/html", accept))
}

const namesXml = /\/xml/i

/** Whether `Accept` prefers HTML to JSON, as a browser does that follows a link. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && qualityOf("text/html", accept) > qualityOf(jsonType, accept)

/** The quality that `Accept` gives to a type; 0 when it excludes it. */
export function qualityOf(type: string, accept: string): number {
  const quality = new Map<string, number>()
  for (const part of accept.split(",").filter((text) => text.trim() !== "")) {
    const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    const name = canonicalType(range)
    const weight = parameters.find((parameter) => parameter.startsWith("q="))
    const value = Number(weight?.slice(2))
    quality.set(name, Math.max(quality.get(name) ?? 0, Number.isNaN(value) ? 1 : value))
  }
  if (quality.size === 0) return 1
  const decisive = [type, type.replace(/\/.*/, "/*"), "*/*"].find((range) => quality.has(range))
  return decisive === undefined ? 0 : (quality.get(decisive) as number)
}

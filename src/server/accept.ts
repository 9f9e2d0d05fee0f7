/** Whether `Accept` (RFC 9110 section 12.5.1) leaves room for JSON; the most specific range that matches decides. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === "*/*" || accept === "application/json") return true
  const quality = new Map<string, number>()
  for (const range of accept.split(",").filter((part) => part.trim() !== "")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith("q="))
    quality.set(type, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  if (quality.size === 0) return true
  const decisive = ["application/json", "application/*", "*/*"].find((type) => quality.has(type))
  return decisive !== undefined && quality.get(decisive) !== 0
}

/** Writes a JSON value as YAML 1.2. Strings that YAML could read as another type are quoted. */
export const toYaml = (value: unknown): string => `${writeNode(value, "").trimStart()}\n`

function writeNode(value: unknown, indent: string): string {
  if (typeof value === "string") return ` ${writeText(value)}`
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return ` ${JSON.stringify(value)}`
  const deeper = `${indent}  `
  if (Array.isArray(value)) return value.map((item) => `\n${indent}- ${writeNode(item, deeper).trimStart()}`).join("")
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([key, part]) => `\n${indent}${writeText(key)}:${writeNode(part, deeper)}`)
    .join("")
}

/** A JSON string is a double-quoted YAML string. */
const writeText = (text: string): string => (isPlain(text) && !reserved.test(text) ? text : JSON.stringify(text))
const isPlain = (text: string): boolean => /^[A-Za-z]([A-Za-z0-9 _./()-]*[A-Za-z0-9)])?$/.test(text)
const reserved = /^(true|false|null|yes|no|on|off|y|n)$/i

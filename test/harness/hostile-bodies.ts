type HostileBody = { what: string; text: string }

/** Repeated, each is the most expensive input for the check of some format. */
const units = ["a", " ", "/", "%", "%41", "a@", "a.", "://", "http://", ":", "[", "?", "#", "é", "+00:00", "-", "1"]

/** Bodies of about `size` characters with the maximum cost for a parser or a validator. */
export function* hostileJson(size: number, schema: Schema): Generator<HostileBody> {
  const filled = (item: string, around = 0) =>
    Array(Math.floor((size - around) / (item.length + 1)))
      .fill(item)
      .join()
  yield { what: "open brackets", text: "[".repeat(size) }
  yield { what: "nested arrays", text: "[".repeat(size / 2) + "]".repeat(size / 2) }
  yield { what: "nested objects", text: '{"a":'.repeat(size / 6) }
  for (const item of ["1.5", "1e1", "1e-400", "0.1e1", "1", "{}", "[]", '""', '"\\ud83d\\udc15"', "null"])
    yield { what: `an array of ${item}`, text: `[${filled(item, 2)}]` }
  yield { what: "many keys", text: `{${Array.from({ length: size / 12 }, (_, n) => `"${n.toString(36)}":1`).join()}}` }
  yield { what: "one long number", text: `${"1".repeat(size - 2)}.5` }
  yield { what: "zeros after the point", text: `1.${"0".repeat(size - 4)}1e5` }
  yield { what: "a long exponent", text: `1e${"9".repeat(size - 2)}` }
  for (const {
    pointer,
    wrap,
    schema: { type },
  } of places(schema)) {
    const around = wrap("").length
    const types = [type].flat()
    if (types.includes("array"))
      for (const item of ["1", "{}", '""'])
        yield { what: `${pointer} of ${item}`, text: wrap(`[${filled(item, around + 2)}]`) }
    if (types.includes("string"))
      for (const unit of units)
        yield {
          what: `${pointer} of ${unit}`,
          text: wrap(JSON.stringify(unit.repeat(Math.floor((size - around) / Buffer.byteLength(unit))))),
        }
  }
}

export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  xml?: { name?: string }
}
type Place = { pointer: string; wrap: (value: string) => string; schema: Schema }

/** Every field of a schema, with a function that wraps a value for it. */
function* places(schema: Schema, pointer = "", wrap = (value: string) => value): Generator<Place> {
  yield { pointer, wrap, schema }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* places(property, `${pointer}/${name}`, (value) => wrap(`{${JSON.stringify(name)}:${value}}`))
  if (schema.items) yield* places(schema.items, `${pointer}/0`, (value) => wrap(`[${value}]`))
}

/** Expensive input for an XML parser: an opening, and units that fill the rest of the document. */
const xmlUnits: [string, string[]][] = [
  ["", ["<a>", "<", "a", "&", "<!", "<?", "<!-", "<![", "<!D", "<!DOCTYPE a ", "\r\n"]],
  ["<", ["a", "a:", "a b='' ", "a "]],
  ["<a ", ["b='' ", "b", "xmlns:b='' ", "='"]],
  ["<a b='", ["a", " ", "&lt;", "&#65;", "\r\n"]],
  [
    "<a>",
    [
      "<a/>",
      "</a>",
      "<a b=''/>",
      "<!",
      "<![",
      "<!-",
      "<!D",
      "<!---->",
      "<![CDATA[]]>",
      "<?a?>",
      "<?a",
      "]]",
      "&",
      "&a",
      "&lt;",
      "&#65;",
      "\r\n",
      "\r",
      "é",
      "🐕",
    ],
  ],
  ["<a><!--", ["-", "- ", "a"]],
  ["<a><![CDATA[", ["]", "] ", "a"]],
  ["<a>&", ["a", "#", "1"]],
  ["<a>&#", ["1", "x", "0"]],
  ["<!DOCTYPE a [", ["<!ENTITY a 'b'>", "[", "<", "'", "a"]],
  ['<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>', ["&b;"]],
]

/** Documents of about `size` bytes with the maximum cost for a parser or a validator. */
export function* hostileXml(size: number, schema: Schema): Generator<HostileBody> {
  const fill = (unit: string, around: number) => unit.repeat(Math.floor((size - around) / Buffer.byteLength(unit)))
  for (const [opening, fillings] of xmlUnits)
    for (const unit of fillings)
      yield { what: `${opening} ${JSON.stringify(unit)}`, text: opening + fill(unit, opening.length) }
  const attributes = Array.from({ length: size / 12 }, (_, n) => `a${n.toString(36)}=""`)
  yield { what: "many attributes", text: `<a ${attributes.join(" ")}/>` }
  yield {
    what: "many names",
    text: `<a>${Array.from({ length: size / 12 }, (_, n) => `<a${n.toString(36)}/>`).join("")}</a>`,
  }
  for (const { pointer, wrap } of xmlPlaces(schema, "root")) {
    const around = wrap("").length
    for (const unit of ["<a/>", "<name/>", "<tag/>", "<user/>", "<photoUrl/>", "&#65;", "\r\n", ...units])
      yield { what: `${pointer} of ${JSON.stringify(unit)}`, text: wrap(fill(unit, around)) }
  }
}

type XmlPlace = { pointer: string; wrap: (content: string) => string }

function* xmlPlaces(
  schema: Schema,
  property: string,
  pointer = "",
  outer = (content: string) => content,
): Generator<XmlPlace> {
  const name = schema.xml?.name ?? property
  const wrap = (content: string) => outer(`<${name}>${content}</${name}>`)
  yield { pointer, wrap }
  for (const [field, of] of Object.entries(schema.properties ?? {}))
    yield* xmlPlaces(of, field, `${pointer}/${field}`, wrap)
  if (schema.items) yield* xmlPlaces(schema.items, name, `${pointer}/0`, wrap)
}

/** Urlencoded forms of about `size` bytes with the maximum cost. */
export function* hostileForms(size: number, { properties = {} }: Schema): Generator<HostileBody> {
  const fill = (unit: string, around = 0) => unit.repeat(Math.floor((size - around) / Buffer.byteLength(unit)))
  for (const unit of ["&", "=", "a", "a=&", "+", "+=&", "%41", "%41=&", "%", "&="])
    yield { what: unit, text: fill(unit) }
  yield { what: "many names", text: Array.from({ length: size / 8 }, (_, n) => `${n.toString(36)}=1`).join("&") }
  for (const name of Object.keys(properties)) {
    for (const value of ["", "1", "{}", "[]", "%5B%5D", "[[", "%7B%22name%22:1%7D"])
      yield { what: `${name}=${value}, repeated`, text: fill(`${name}=${value}&`) }
    for (const unit of [...units.filter((unit) => unit !== "%"), "[", "{}", "1,", "%F0%9F%90%95"])
      yield { what: `${name}=${unit}…`, text: `${name}=${fill(unit, name.length + 1)}` }
    yield { what: `${name}: a list of objects`, text: `${name}=[${fill("{},", name.length + 5)}{}]` }
    yield { what: `${name}: a list of lists`, text: `${name}=[${fill("[],", name.length + 5)}[]]` }
  }
}

export const hostileBoundary = "-"

/** Multipart forms of about `size` bytes, with the boundary above, with the maximum cost. */
export function* hostileParts(size: number, { properties = {} }: Schema): Generator<HostileBody> {
  const fill = (unit: string, around = 0) => unit.repeat(Math.floor((size - around) / Buffer.byteLength(unit)))
  const part = (name: string, value: string) =>
    `---\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  for (const unit of ["-", "---", "---\r\n", "\r\n", "\r", "\r\n-", "\r\n--", "a", "---\r\na: b\r\n\r\n\r\n"])
    yield { what: JSON.stringify(unit), text: `---\r\n${fill(unit, 16)}\r\n-----\r\n` }
  yield { what: "a header", text: `---\r\n${fill("a", 32)}: b\r\n\r\nc\r\n-----\r\n` }
  yield { what: "many headers", text: `---\r\n${fill("a: b\r\n", 32)}\r\nc\r\n-----\r\n` }
  yield {
    what: "parameters",
    text: `---\r\nContent-Disposition: form-data; ${fill('a="b"; ', 80)}\r\n\r\nc\r\n-----\r\n`,
  }
  for (const name of [...Object.keys(properties), "other"])
    for (const unit of ["a", "\r\n", "\r\n-", "\r\n--", "é", "[", "{},"])
      yield { what: `${name} of ${JSON.stringify(unit)}`, text: `${part(name, fill(unit, 100))}-----\r\n` }
  for (const name of Object.keys(properties))
    yield { what: `${name}, repeated`, text: `${fill(part(name, "{}"), 10)}-----\r\n` }
}

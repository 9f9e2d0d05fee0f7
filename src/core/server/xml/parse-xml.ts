import { isAscii } from "node:buffer"
import type { SaxesParser } from "saxes"
import { once } from "../../kernel/flow/once.ts"
import { createYielder } from "../../kernel/flow/yielder.ts"
import { depthMax } from "../../kernel/json/parse-json.ts"
import { Problem } from "../../kernel/problem.ts"

/** An element by its name without a prefix, with its direct text and its child elements; `isNil` if it has `xsi:nil` (XML Schema Part 1, section 2.6.2). */
export type XmlElement = { name: string; text: string; isNil: boolean; children: XmlElement[] }

/** Loaded with the first XML body. */
const loadParser = once(async () => {
  const { SaxesParser } = await import("saxes")
  return SaxesParser
})

/**
 * Parses the root element of a document (XML 1.0); skips other attributes, comments and processing instructions. Throws the 400 for a
 * document that is not well-formed, is nested deeper than JSON may be, has more than `partsMax` parts, or declares a document
 * type. Only the five entities of XML itself exist, so a document never expands. Long documents are read in slices.
 */
export async function parseXml(bytes: Uint8Array): Promise<XmlElement> {
  const SaxesParser = await loadParser()
  const parser = new SaxesParser()
  const root = buildTree(parser, isAscii(bytes))
  try {
    const text = utf8.decode(bytes)
    const turn = createYielder()
    for (let at = 0; at < text.length; at += sliceLength) {
      if (turn.isOver()) await turn.next()
      parser.write(text.slice(at, at + sliceLength))
    }
    parser.close()
  } catch (error) {
    throw error instanceof Problem ? error : malformed(reasonOf(error as Error))
  }
  return root()
}

/** The maximum of elements, attributes, comments and the like: ten times what the largest list of users needs. */
const partsMax = 10_000

/** Characters that are parsed at once. */
const sliceLength = 16_384

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** In ASCII, which is the same in every encoding, a document may declare another one than UTF-8. */
function buildTree(parser: SaxesParser, isInAscii: boolean): () => XmlElement {
  const open: XmlElement[] = [{ name: "", text: "", isNil: false, children: [] }]
  const innermost = () => open.at(-1) as XmlElement
  const append = (text: string) => {
    innermost().text += text
  }
  let parts = 0
  const count = () => {
    if (++parts > partsMax) throw malformed(`it has more than ${partsMax} elements, attributes and comments`)
  }
  parser.on("opentagstart", ({ name: prefixed }) => {
    count()
    if (open.length > depthMax) throw malformed(`it is nested deeper than ${depthMax} levels`)
    const name = prefixed.slice(prefixed.lastIndexOf(":") + 1)
    const element = { name, text: "", isNil: false, children: [] }
    innermost().children.push(element)
    open.push(element)
  })
  parser.on("closetag", () => void open.pop())
  parser.on("text", append)
  parser.on("cdata", (text) => {
    count()
    append(text)
  })
  parser.on("attribute", ({ name, value }) => {
    count()
    if (/^(.*:)?nil$/.test(name) && /^(true|1)$/.test(value.trim())) innermost().isNil = true
  })
  parser.on("comment", count)
  parser.on("processinginstruction", count)
  parser.on("doctype", () => {
    throw malformed("it declares a document type, which is not supported")
  })
  parser.on("xmldecl", ({ encoding = "utf-8" }) => {
    if (!isInAscii && !/^utf-?8$/i.test(encoding)) throw malformed(`its encoding is ${encoding}, not UTF-8`)
  })
  return () => open[0]?.children[0] as XmlElement
}

/** The parser's message without the text it quotes, which may be private. */
function reasonOf({ message }: Error): string {
  const [, line, column, what] = /^(\d+):(\d+): ([^:]*)/.exec(message) ?? []
  return what === undefined ? "it is not UTF-8" : `${what.replace(/\.$/, "")}, at line ${line}, column ${column}`
}

const malformed = (reason: string) => new Problem("malformed-xml", `The body is not valid XML: ${reason}`)

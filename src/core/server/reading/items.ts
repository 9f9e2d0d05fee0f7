import type { TArray, TSchema } from "typebox"
import { createYielder } from "../../kernel/flow/yielder.ts"
import { ndjsonType } from "../../kernel/network/media-types.ts"
import { invalidBody, Problem, problem, type Violation } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { parseText } from "./json-text.ts"

/**
 * Reads a body whose items stand for themselves: a JSON array, or NDJSON with an item on each line that is not blank. An invalid
 * item becomes its problem; throws the problem of a body that is invalid as such. Divided, because many items take long.
 */
export function itemsReader(
  schema: TSchema,
  checkItems: (items: TSchema) => (item: unknown) => Violation[],
): (type: string, bytes: Buffer) => Promise<unknown[]> {
  const { items, maxItems = 0, ...list } = schema as TArray & { maxItems?: number }
  const checkList = checkOf({ ...list, maxItems, items: {} } as TSchema)
  const violationsOf = checkItems(items)

  return async (type, bytes) => {
    const values = type === ndjsonType ? parseLines(bytes, maxItems) : parseText(bytes)
    const violations = checkList(values)
    if (violations.length > 0) throw problem("invalid-body", violations)

    const turns = createYielder()
    const judged: unknown[] = []
    for (const value of values as unknown[]) {
      if (turns.isOver()) await turns.next()
      judged.push(value instanceof Problem ? value : (invalidBody(violationsOf(value)) ?? value))
    }
    return judged
  }
}

const lineFeed = 0x0a

/** The values of the lines that are not blank, up to one more than `max`, and a problem instead of each malformed one. */
function parseLines(bytes: Buffer, max: number): unknown[] {
  const values: unknown[] = []
  let start = skipBlank(bytes, 0)
  while (start < bytes.length && values.length <= max) {
    const end = bytes.indexOf(lineFeed, start)
    const line = bytes.subarray(start, end === -1 ? bytes.length : end)
    values.push(parseLine(line))
    start = skipBlank(bytes, start + line.length)
  }
  return values
}

/** The position of the first byte from `start` that is not white space. */
function skipBlank(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d || bytes[at] === lineFeed) at += 1
  return at
}

function parseLine(line: Buffer): unknown {
  try {
    return parseText(line, "line")
  } catch (error) {
    return error
  }
}

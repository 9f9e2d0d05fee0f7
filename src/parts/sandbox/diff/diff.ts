import { isDeepStrictEqual } from "node:util"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import { memberAt } from "../../../core/kernel/json/pointer.ts"
import type { MemberChange } from "./contract.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** What is shown of a thing, and a secret of it, whose values are never shown. */
export type ComparedRow = {
  id: number
  value: JsonObject
  secret?: { member: string; read(): Awaitable<string | undefined> }
}

export type RowChange =
  | { id: number; change: "added" | "removed"; value: JsonObject }
  | { id: number; change: "changed"; members: MemberChange[] }

/** What makes the rows `after` of those `before`. Both are in ascending order of id, and so are the changes. */
export async function* differences(
  before: AsyncIterable<ComparedRow>,
  after: AsyncIterable<ComparedRow>,
): AsyncGenerator<RowChange> {
  const [olds, news] = [before[Symbol.asyncIterator](), after[Symbol.asyncIterator]()]
  let [old, now] = [await olds.next(), await news.next()]
  while (!old.done || !now.done)
    if (!old.done && (now.done || old.value.id < now.value.id)) {
      yield { id: old.value.id, change: "removed", value: old.value.value }
      old = await olds.next()
    } else if (!now.done && (old.done || now.value.id < old.value.id)) {
      yield { id: now.value.id, change: "added", value: now.value.value }
      now = await news.next()
    } else {
      const [was, is] = [old.value as ComparedRow, now.value as ComparedRow]
      const members = [...changedMembers("", was.value, is.value), ...(await changedSecret(was, is))]
      if (members.length > 0) yield { id: is.id, change: "changed", members }
      old = await olds.next()
      now = await news.next()
    }
}

/** The members that differ; those of objects one by one, lists as a whole. */
function changedMembers(pointer: string, before: JsonObject, after: JsonObject): MemberChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [wasThere, isThere] = [Object.hasOwn(before, name), Object.hasOwn(after, name)]
    const [was, is] = [before[name], after[name]]
    if (wasThere === isThere && isDeepStrictEqual(was, is)) return []
    const at = memberAt(pointer, name)
    if (isObject(was) && isObject(is)) return changedMembers(at, was, is)
    return { pointer: at, ...(wasThere && { before: was }), ...(isThere && { after: is }) }
  })
}

async function changedSecret({ secret: was }: ComparedRow, { secret: is }: ComparedRow): Promise<MemberChange[]> {
  return was && is && (await was.read()) !== (await is.read()) ? [{ pointer: memberAt("", is.member) }] : []
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

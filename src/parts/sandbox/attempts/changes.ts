import { memberAt } from "../../../core/kernel/json/pointer.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import type { RequestChange } from "./contract.ts"

type Recorded = RecordedRequest["request"]

const changesMax = 20
const textLengthMax = 200

/** What a request has other than the one before it. Bodies can differ in what is not shown of them. */
export const changesBetween = (before: Recorded, after: Recorded, doBodiesDiffer: boolean): RequestChange[] =>
  [
    ...differences("/headers", Object.entries(before.headers), Object.entries(after.headers)),
    ...changesOfBody(before.body, after.body, doBodiesDiffer),
  ].slice(0, changesMax)

function changesOfBody(before: string | undefined, after: string | undefined, doDiffer: boolean): RequestChange[] {
  if (before === after) return doDiffer ? [{ pointer: "/body" }] : []
  const [old, now] = [membersOf(before), membersOf(after)]
  const members = old && now ? differences("/body", old, now) : []
  return members.length > 0 ? members : [changeOf("/body", before, after)]
}

/** The members of a JSON object, each as JSON; undefined for any other text. */
function membersOf(body = ""): [string, string][] | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, of]) => [name, JSON.stringify(of)])
      : undefined
  } catch {
    return undefined
  }
}

function differences(
  pointer: string,
  before: readonly [string, string][],
  after: readonly [string, string][],
): RequestChange[] {
  const [old, now] = [new Map(before), new Map(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .map((name) => changeOf(memberAt(pointer, name), old.get(name), now.get(name)))
}

const changeOf = (pointer: string, before: string | undefined, after: string | undefined): RequestChange => ({
  pointer,
  ...(before !== undefined && { before: beginningOf(before) }),
  ...(after !== undefined && { after: beginningOf(after) }),
})

const beginningOf = (text: string): string =>
  text.length > textLengthMax ? `${text.slice(0, textLengthMax).toWellFormed()}…` : text

import { eventKinds } from "../../../core/domain/events/contract.ts"
import { imageParts, isImageType } from "../../../core/domain/images/contract.ts"
import { Order } from "../../../core/domain/orders/contract.ts"
import { Pet } from "../../../core/domain/pets/contract.ts"
import type { TableRow } from "../../../core/domain/ports/store.ts"
import { roleNames } from "../../../core/domain/scopes.ts"
import { User } from "../../../core/domain/users/contract.ts"
import { checkOf } from "../../../core/kernel/schema/check.ts"

type Row = Record<string, string | number | null>

/** Why a row would fail when it is read, as the predicate of a sentence; undefined when it can be read. */
export function refusalOfRow(name: string, columns: readonly string[], cells: TableRow): string | undefined {
  const row: Row = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null]))
  const outside = columns.find((column) => !isWithin(name, column, row[column]))
  if (outside !== undefined) return `has no possible number in ${outside}`
  const value = "json" in row && row.json !== null ? parse(row.json) : undefined
  if (typeof row.json === "string" && !isObject(value)) return "has no JSON object in json"
  return refusals[name]?.(row, value as Record<string, unknown>)
}

/** Numbers that clients may choose: ids, and columns that refer to them. */
const chosen: ReadonlySet<string> = new Set(["pets.id", "orders.id", "users.id", "pet_id", "user_id"])
/** All others are far below: what is counted on from a row must not exceed what JavaScript represents. */
const countedMax = 2 ** 52

function isWithin(table: string, column: string, value: Row[string] | undefined): boolean {
  if (typeof value !== "number") return true
  const isChosen = chosen.has(`${table}.${column}`) || chosen.has(column)
  return value >= 0 && value <= (isChosen ? Number.MAX_SAFE_INTEGER : countedMax)
}

type Refusal = (row: Row, value: Record<string, unknown>) => string | undefined

/** Of the tables whose rows are responses, or lead to files. */
const refusals: Record<string, Refusal> = {
  pets: ({ id, status }, pet) =>
    checkOf(Pet)(pet)[0]?.detail ?? (pet.id === id && pet.status === status ? undefined : "has another pet in json"),
  orders: ({ id, status }, order) =>
    checkOf(Order)(order)[0]?.detail ??
    (order.id === id && order.status === status ? undefined : "has another order in json"),
  events: ({ kind }, event) =>
    Object.hasOwn(eventKinds, String(kind)) && event.event === kind ? undefined : "is of an unknown kind",
  limit_cells: ({ offsets }) => {
    const moments = parse(String(offsets))
    const isMoments = Array.isArray(moments) && moments.every((ms) => Number.isSafeInteger(ms))
    return isMoments ? undefined : "has no list of numbers in offsets"
  },
  users({ id, json, password_hash: hash }, user) {
    // Of a deleted user only the row is left.
    if (json === null) return undefined
    const { role, ...record } = user
    if (!roleNames.some((known) => known === role) || record.id !== id) return "has no user in json"
    if (!passwordHash.test(String(hash))) return "has no Argon2 hash of usual cost in password_hash"
    return checkOf(User)(record)[0]?.detail
  },
  origin: ({ profile }) => (profile === "sandbox" ? undefined : "is of another profile"),
  images: (_, image) => (isImage(image) ? undefined : "has no image in json"),
}

/** In the PHC string format; what one costs is bounded. */
const passwordHash = /^\$argon2id\$v=19\$m=\d{1,5},t=\d,p=\d\$[\w+/]{11,86}\$[\w+/]{43}$/

const isImage = ({ type, width, height, frames, bytes }: Record<string, unknown>): boolean =>
  isImageType(type) &&
  [width, height, frames].every((size) => Number.isSafeInteger(size)) &&
  isObject(bytes) &&
  imageParts.every((part) => Number.isSafeInteger(bytes[part]))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function parse(json: string | number): unknown {
  try {
    return JSON.parse(String(json))
  } catch {
    return undefined
  }
}

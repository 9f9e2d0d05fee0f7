import { eventKinds } from "../../domain/events/contract.ts"
import { imageParts, isImageType } from "../../domain/images/contract.ts"
import { Order } from "../../domain/orders/contract.ts"
import { Pet } from "../../domain/pets/contract.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import type { TableRows } from "./rows.ts"

type Row = Record<string, string | number | null>

/** Why a row would fail when it is read, as the predicate of a sentence; undefined when it can be read. */
export function refusalOfRow({ name, columns, rows }: TableRows, n: number): string | undefined {
  const row: Row = Object.fromEntries(columns.map((column, at) => [column, rows[n]?.[at] ?? null]))
  const value = "json" in row && row.json !== null ? parse(row.json) : undefined
  if (typeof row.json === "string" && !isObject(value)) return "has no JSON object in json"
  return refusals[name]?.(row, value as Record<string, unknown>)
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
  images: (_, image) => (isImage(image) ? undefined : "has no image in json"),
}

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

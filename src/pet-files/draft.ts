import { PetDraft, petBytesMax } from "../core/domain/pets/contract.ts"
import type { ProblemCode } from "../core/domain/problems/problems.ts"
import { parseJson } from "../core/kernel/json/parse-json.ts"
import { sentence, type Violation } from "../core/kernel/problem.ts"
import { checkOf } from "../core/kernel/schema/check.ts"
import { nullOmitter } from "../core/kernel/schema/omit-nulls.ts"
import { mapMembers } from "./json-members.ts"
import type { Line } from "./lines.ts"
import type { ReadOptions } from "./read-options.ts"

/** Why a line is not imported, with the code and detail that the service would return. */
export type Rejection = {
  code: ProblemCode | "in-doubt"
  detail: string
  errors?: readonly Violation[]
  requestId?: string
}

export type Drafted = { draft: PetDraft } | { rejection: Rejection }

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Parses a line exactly as the service parses a request body, except that `photoUrls` may be absent. */
export function readDraft({ bytes, isUnended }: Line, options: ReadOptions): Drafted {
  if (!bytes) return reject("body-too-large", `The line is longer than ${petBytesMax} bytes`)
  try {
    return validateDraft(toPet(parseJson(utf8.decode(bytes)), options), options)
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : "is not UTF-8"
    return reject("malformed-json", `The line ${reason}${isUnended ? "; the file ends in the middle of it" : ""}`)
  }
}

/** Maps members of an object. `photoUrls` may be absent, as in CSV: files of other programs often have no photos. */
function toPet(value: unknown, { map }: ReadOptions): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  const mapped = map && map.size > 0 ? mapMembers(value, map) : value
  if (!("photoUrls" in mapped)) Object.assign(mapped, { photoUrls: [] })
  return mapped
}

const omitNulls = nullOmitter(PetDraft)

/** Validates a value as the service validates the body of a new pet; without its id when pets get new ids. */
export function validateDraft(value: unknown, { newIds }: ReadOptions): Drafted {
  if (newIds && typeof value === "object" && value !== null && "id" in value) delete value.id
  omitNulls(value)
  const violations = checkOf(PetDraft)(value)
  if (violations.length === 0) return { draft: value as PetDraft }
  return { rejection: { code: "invalid-body", detail: sentence(violations), errors: violations } }
}

export const reject = (code: ProblemCode, detail: string): Drafted => ({ rejection: { code, detail } })

/** Whether a line contains only white space. */
export const isBlank = ({ bytes }: Line): boolean =>
  bytes?.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) ?? false

import type { TSchema } from "typebox"
import { LabelName, PetReplacement } from "../../core/domain/pets/contract.ts"
import { mapValues } from "../../core/kernel/json/map-values.ts"
import { idMax } from "../../core/kernel/schema/schema.ts"
import { Type } from "../../core/kernel/schema/type.ts"

/** Bodies that may lack members which v3 requires: a PUT of a pet without a name keeps the name. */
export const bodies: Readonly<Record<string, TSchema>> = {
  updatePet: { ...PetReplacement, required: PetReplacement.required?.filter((name) => name !== "name") },
}

const labelId = Type.Integer({
  minimum: -idMax,
  maximum: idMax,
  format: "int64",
  description: "The one that the client sent, if any",
})
const { description: _, ...labelName } = LabelName as TSchema & { description?: string }
const anyDate = "must be a date, a date-time or milliseconds since 1970, such as 2026-01-02 or 2026-01-02T03:04:05Z"

/** A schema of v3 as v2 reads and writes it: labels have the ids that the client sent, and a date needs no time or offset. */
export function inV2<S extends TSchema>(schema: S): S {
  const { properties, items, format } = schema as S & {
    properties?: Record<string, TSchema>
    items?: TSchema
    format?: string
  }
  if (schema === (LabelName as TSchema)) return labelName as S
  const changed = {
    ...schema,
    ...(items && { items: inV2(items) }),
    ...(properties && { properties: mapValues(properties, inV2) }),
    ...(properties?.name === LabelName && { properties: { id: labelId, name: labelName } }),
    ...(format === "date-time" && { "x-rule": anyDate }),
  }
  return Type.IsOptional(schema) ? Type.Optional(changed) : changed
}

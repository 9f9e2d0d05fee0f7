import type { TObject } from "typebox"
import { PetDraft, PetReplacement } from "../../domain/pets/contract.ts"
import { idMax } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"

const id = Type.Optional(Type.Integer({ minimum: -idMax, maximum: idMax, format: "int64" }))

const { category, tags } = PetDraft.properties
const labels = {
  category: Type.Optional(Type.Object({ id, ...category.properties }, optionsOf(category))),
  tags: Type.Optional(
    Type.Array(Type.Object({ id, ...tags.items.properties }, optionsOf(tags.items)), optionsOf(tags)),
  ),
}

/** Bodies that differ from those of v3: a category or a tag may have an id. */
export const bodies: Readonly<Record<string, TObject>> = {
  addPet: Type.Object({ ...PetDraft.properties, ...labels }, optionsOf(PetDraft)),
  updatePet: Type.Object({ ...PetReplacement.properties, ...labels }, optionsOf(PetReplacement)),
}

/** The keywords of a schema besides those that its builder adds. */
function optionsOf(schema: object): Record<string, unknown> {
  const {
    type: _type,
    required: _required,
    properties: _properties,
    items: _items,
    ...options
  } = schema as TObject & {
    items?: unknown
  }
  return options
}

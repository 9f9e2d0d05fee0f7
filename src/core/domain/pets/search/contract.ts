import type { Static } from "typebox"
import { list, text } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { endpoint } from "../../endpoint.ts"
import { LabelName, PetStatus, Pets } from "../contract.ts"

const PetQuery = Type.Object({
  status: Type.Optional(list(PetStatus, { description: "Any of these statuses" })),
  category: Type.Optional(list(LabelName, { examples: [["Dogs"]], description: "Any of these categories, by name" })),
  tag: Type.Optional(list(LabelName, { examples: [["friendly"]], description: "Any of these tags, by name" })),
  name: Type.Optional(
    text(1, 255, { examples: ["dog"], description: "Prefix of the name, not case-sensitive", "x-exclusive": true }),
  ),
})
export type PetQuery = Static<typeof PetQuery>

export const petSearch = {
  listPets: endpoint("GET", "/pet", {
    summary: "List pets",
    description:
      "Newest first, and with `name` in order of name. `status`, `category` and `tag` can be combined, and `status` with `name`. " +
      "`sort` is `id` or `-id` with `category` or `tag`, `name` or `-name` with `name`, and any of the four otherwise. Any other " +
      "combination is 400 `invalid-parameter`. When few pets have both a category and a tag, a page may have fewer than `limit`, " +
      "even none, and still have a `Link`.",
    tag: "pet",
    command: "pets list",
    scope: "read:pets",
    query: PetQuery,
    response: Pets,
    paged: true,
    counted: true,
    sorts: ["-id", "id", "name", "-name"],
  }),
}

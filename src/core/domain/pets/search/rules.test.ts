import assert from "node:assert/strict"
import { test } from "node:test"
import type { Sort } from "../../../kernel/endpoint/page.ts"
import { Problem } from "../../../kernel/problem.ts"
import type { PetQuery } from "./contract.ts"
import { chooseList } from "./rules.ts"

const category = ["Dogs"]
const tag = ["shy"]
const name = "rex"

test("lists that an index supports, newest first or by name by default", () => {
  const orders: [PetQuery, ...(Sort | undefined)[]][] = [
    [{}, "-id", "id", "name", "-name"],
    [{ category }, "-id", "id"],
    [{ tag }, "-id", "id"],
    [{ category, tag }, "-id", "id"],
    [{ name }, "name", "-name"],
  ]
  for (const [query, usual, ...others] of orders)
    for (const status of [undefined, ["sold" as const]])
      for (const sort of [undefined, usual, ...others]) {
        const chosen = chooseList({ ...query, ...(status && { status }) }, sort)
        assert.ok(!(chosen instanceof Problem))
        assert.deepEqual(
          { sort: chosen.sort, statuses: chosen.statuses.length },
          { sort: sort ?? usual, statuses: status ? 1 : 3 },
        )
      }
})

test("any other combination is refused and the supported ones are named", () => {
  const refused: [PetQuery, Sort | undefined, string][] = [
    [
      { category, name },
      undefined,
      "name cannot be combined with category: status can, as with category and tag together",
    ],
    [{ tag, name }, "name", "name cannot be combined with tag: status can, as with category and tag together"],
    [{ category, tag }, "name", "sort must be id or -id with category"],
    [{ category }, "name", "sort must be id or -id with category"],
    [{ tag }, "-name", "sort must be id or -id with tag"],
    [{ name }, "-id", "sort must be name or -name with name"],
  ]
  for (const [query, sort, detail] of refused) {
    const outcome = chooseList(query, sort)
    assert.ok(outcome instanceof Problem, detail)
    assert.deepEqual({ code: outcome.code, detail: outcome.detail }, { code: "invalid-parameter", detail })
  }
})

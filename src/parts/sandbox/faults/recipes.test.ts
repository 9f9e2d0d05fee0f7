import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { findRecipe, idOf, isInForce, type Recipe, recipes, withoutRecipe, withRecipe } from "./recipes.ts"

const now = Date.parse("2026-01-01T00:00:00Z")
const other = { fault: "wait=1", count: 3 }

test("a recipe is found by its name and its id, and otherwise the nearest one is named", () => {
  for (const recipe of recipes)
    for (const text of [recipe.name, idOf(recipe), ` ${recipe.name.toUpperCase()} `])
      assert.equal(findRecipe(text), recipe)
  assert.deepEqual(findRecipe("slow-netwrk"), { nearest: "slow-network" })
  assert.deepEqual(findRecipe(""), { nearest: undefined })
})

for (const recipe of recipes)
  test(`"${recipe.name}" comes before other rules, starts again when it is applied again, and ends alone`, () => {
    const applied = withRecipe([other], recipe, now)
    assert.equal(applied.length, recipe.rules.length + 1)
    assert.equal(applied.at(-1), other)
    assert.ok(isInForce(applied, recipe, now))
    const used = applied.map((rule) => ({ ...rule, count: 1 }))
    assert.deepEqual(withRecipe(used, recipe, now), [...applied.slice(0, -1), used.at(-1)])
    assert.deepEqual(withoutRecipe(used, recipe), [used.at(-1)])
    for (const another of recipes) if (another !== recipe) assert.ok(!isInForce(applied, another, now))
  })

test("a recipe is not in force when a rule of it is switched off, used up, at its end, or changed", () => {
  const nextOrder = findRecipe("next order fails") as Recipe
  const [rule] = withRecipe([], nextOrder, now)
  for (const changed of [{ enabled: false }, { count: 1 }, { fault: "code=500" }, { match: { times: 1 } }])
    assert.ok(!isInForce([{ ...rule, ...changed }], nextOrder, now), JSON.stringify(changed))
  const down = findRecipe("receiver down for an hour") as Recipe
  const hour = withRecipe([], down, now)
  assert.deepEqual(hour, [{ fault: "webhook=down", match: { until: "2026-01-01T01:00:00.000Z" } }])
  assert.deepEqual(
    [now + 3_599_999, now + 3_600_000].map((at) => isInForce(hour, down, at)),
    [true, false],
  )
})

test("the documents list each recipe with what it does", () => {
  const text = readFileSync(new URL("../../../../docs/faults.md", import.meta.url), "utf8")
  for (const recipe of recipes) {
    const row = `| \`${idOf(recipe)}\` | ${recipe.words} | \`${JSON.stringify(recipe.rules)}\`${recipe.lasts ? ", with `until`" : ""} |`
    assert.ok(text.includes(row), row)
  }
})

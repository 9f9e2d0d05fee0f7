import { isOn, type OwnCommand, UsageError, type World } from "../../../cli/command/command.ts"
import { printResult } from "../../../cli/output/result.ts"
import { createTable } from "../../../cli/output/table.ts"
import { timeIn } from "../../../core/kernel/clock.ts"
import { sandbox } from "../contract.ts"
import type { FaultRule } from "../faults/contract.ts"
import { findRecipe, idOf, isInForce, type Recipe, recipes, withoutRecipe, withRecipe } from "../faults/recipes.ts"
import { changeUnchanged } from "../faults/tagged.ts"

const end = { name: "end", meaning: "End the fault with this name, or all fault rules without one" }

export const fault: OwnCommand = {
  name: "fault",
  summary: "Make a sandbox fail in a way that has a name, or list the names",
  description:
    "The rules of the fault come before those that the sandbox has, and start again if they are there already. Other rules are set by " +
    "petstore sandbox set-faults.",
  arguments: [
    { name: "name", meaning: "The fault; without it all are listed", choices: recipes.map(idOf), isOptional: true },
  ],
  flags: [end],
  async run(input, world) {
    const { name } = input.arguments
    const client = world.service.clientOf(sandbox)
    const isEnd = isOn(input, end.name)
    if (name === undefined && isEnd) {
      const { value } = await client.deleteFaults()
      printResult(world, value, `${value.message}\n`)
      return 0
    }
    const recipe = name === undefined ? undefined : requireRecipe(name)
    const now = timeIn((await client.getClock()).value.time)
    if (recipe === undefined) {
      printNames((await client.getFaults()).value.rules, now, world)
      return 0
    }
    const { value } = await changeUnchanged(async () => {
      const { value: before, headers } = await client.getFaults()
      const rules = isEnd ? withoutRecipe(before.rules, recipe) : withRecipe(before.rules, recipe, now)
      return client.setFaults({ body: { rules } }, { headers: { "if-match": headers.get("etag") ?? "*" } })
    })
    printResult(world, value, isEnd ? `Ended: ${recipe.name}\n` : saidOf(recipe))
    return 0
  },
}

function requireRecipe(name: string): Recipe {
  const found = findRecipe(name)
  if ("name" in found) return found
  const { nearest } = found
  const advice = nearest === undefined ? "petstore fault lists all" : `did you mean ${nearest}?`
  throw new UsageError(`unknown fault ${JSON.stringify(name)}; ${advice}`)
}

const saidOf = (recipe: Recipe): string => `${recipe.words}.\nEnd it: petstore fault ${idOf(recipe)} --end\n`

function printNames(rules: readonly FaultRule[], now: number, { json, terminal }: World): void {
  const listed = recipes.map((recipe) => ({ recipe, inForce: isInForce(rules, recipe, now) }))
  if (json) {
    const names = listed.map(({ recipe, inForce }) => ({ ...recipe, name: idOf(recipe), inForce }))
    terminal.out(`${JSON.stringify(names)}\n`)
    return
  }
  const rows = listed.map(({ recipe, inForce }) => ({
    name: idOf(recipe),
    "in force": inForce ? "yes" : "",
    effect: recipe.words,
  }))
  terminal.out(createTable(["name", "in force", "effect"], terminal, { isCut: terminal.width !== undefined })(rows))
}

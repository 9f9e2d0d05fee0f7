import { problem } from "../../../core/kernel/problem.ts"
import type { Action, Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { findRecipe, idOf, isInForce, type Recipe, recipes, withoutRecipe, withRecipe } from "../faults/recipes.ts"
import { sandboxPageOf } from "../pages/sandbox-home.ts"
import { changeRules, type RuleInForce } from "./change-rules.ts"
import { faultSentence } from "./fault-sentence.ts"

export const recipeActions: Readonly<Record<string, Action>> = {
  async apply(visit, form) {
    const recipe = requireRecipe(form.get("recipe") ?? "")
    await changeRules(visit, (rules, now) => withRecipe(rules, recipe, now))
    return { to: sandboxPageOf(visit), notice: `${recipe.words}, from now on` }
  },
  async end(visit, form) {
    const recipe = requireRecipe(form.get("recipe") ?? "")
    await changeRules(visit, (rules) => withoutRecipe(rules, recipe))
    return { to: sandboxPageOf(visit), notice: `Ended: ${recipe.name}` }
  },
}

/** Throws a refusal that names the nearest one. */
function requireRecipe(text: string): Recipe {
  const found = findRecipe(text)
  if ("name" in found) return found
  const advice = found.nearest === undefined ? "" : `. Did you mean ${found.nearest}?`
  throw problem("invalid-parameter", `There is no fault with the name ${text}${advice}`)
}

/** What a link to a recipe asks before it is applied; the frame shows its title. */
export function recipeQuestion(visit: Visit, text: string): Markup {
  const recipe = requireRecipe(text)
  const { name } = visit.params
  const rules = recipe.rules.map((rule) => html`<li>${faultSentence(visit, rule, 0)}</li>`)
  return html`<h1>Apply “${recipe.name}”?</h1>
<p>${recipe.words}. It affects ${name === undefined ? "the service’s own sandbox" : html`the sandbox <strong>${name}</strong>`}, until it is ended.</p>
<ol class="rules">${rules}</ol>
<div class="doings">${actionButton(visit, { action: "apply", label: "Apply it", fields: { recipe: idOf(recipe) } })}
<a href="${visit.root}${sandboxPageOf(visit)}">Cancel</a></div>`
}

/** A button for each recipe, which ends the one that is in force. */
export const recipeButtons = (visit: Visit, rules: readonly RuleInForce[], now: number): Markup =>
  html`<ul class="recipes">${recipes.map((recipe) => {
    const isOn = isInForce(rules, recipe, now)
    return html`<li title="${recipe.words}">${actionButton(visit, {
      action: isOn ? "end" : "apply",
      label: isOn ? `End: ${recipe.name}` : recipe.name,
      variant: "quiet small",
      fields: { recipe: idOf(recipe) },
    })}</li>`
  })}</ul>`

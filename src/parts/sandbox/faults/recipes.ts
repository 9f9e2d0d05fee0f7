import { isDeepStrictEqual } from "node:util"
import { timestamp } from "../../../core/kernel/clock.ts"
import { findNearest } from "../../../core/kernel/did-you-mean.ts"
import { durationMs } from "../../../core/kernel/duration.ts"
import type { FaultRule } from "./contract.ts"
import { isOver } from "./rules.ts"

/** Fault rules under a name that people know them by. */
export type Recipe = {
  name: string
  /** What happens, as a sentence without its full stop. */
  words: string
  rules: readonly FaultRule[]
  /** They end after so long, in the time of the sandbox. */
  lasts?: string
}

export const recipes: readonly Recipe[] = [
  {
    name: "lose the next response",
    words: "The next operation is carried out without a response",
    rules: [{ match: { times: 1 }, fault: "fault=lose" }],
  },
  {
    name: "delay the next response",
    words: "The next response comes 2 s late",
    rules: [{ match: { times: 1 }, fault: "wait=2" }],
  },
  {
    name: "lose 1 in 5",
    words: "A fifth of the operations is carried out without a response",
    rules: [{ match: { share: 0.2 }, fault: "fault=lose" }],
  },
  {
    name: "slow network",
    words: "Half of the responses come more than 0.5 s late, one in six more than 1.3 s",
    rules: [{ fault: "wait=0.5; spread=1" }],
  },
  {
    name: "next order fails",
    words: "The next order is refused with 503, and not placed",
    rules: [{ match: { operation: "placeOrder", times: 1 }, fault: "code=503" }],
  },
  {
    name: "limit reached",
    words: "Every request is refused with 429, as if the limits were used up",
    rules: [{ fault: "code=429; retry-after=3" }],
  },
  {
    name: "token expired",
    words: "The next access token has expired when it arrives",
    rules: [{ match: { path: "/oauth/token", times: 1 }, fault: "token=expired" }],
  },
  {
    name: "duplicate webhooks",
    words: "Each message to a webhook is sent twice",
    rules: [{ fault: "webhook=duplicate" }],
  },
  {
    name: "receiver down for an hour",
    words: "No message reaches a webhook, for an hour by the clock of the sandbox",
    rules: [{ fault: "webhook=down" }],
    lasts: "PT1H",
  },
]

/** Its name as a word of a command line or an address. */
export const idOf = ({ name }: Pick<Recipe, "name">): string => name.replaceAll(" ", "-")

/** The recipe with this name or id; otherwise the name of the nearest one. */
export function findRecipe(text: string): Recipe | { nearest: string | undefined } {
  const id = idOf({ name: text.trim().toLowerCase() })
  return recipes.find((one) => idOf(one) === id) ?? { nearest: findNearest(id, recipes.map(idOf)) }
}

/** The rules with those of a recipe first, which start again; `now` is the time of the sandbox. */
export const withRecipe = (rules: readonly FaultRule[], recipe: Recipe, now: number): FaultRule[] => [
  ...recipe.rules.map((rule) => ({ ...rule, ...matchUntil(rule, recipe, now) })),
  ...withoutRecipe(rules, recipe),
]

export const withoutRecipe = (rules: readonly FaultRule[], recipe: Recipe): FaultRule[] =>
  rules.filter((rule) => !recipe.rules.some((each) => isSame(each, rule, recipe)))

/** Whether all rules of a recipe have effect. */
export const isInForce = (rules: readonly FaultRule[], recipe: Recipe, now: number): boolean =>
  recipe.rules.every((each) =>
    rules.some((rule) => rule.enabled !== false && !isOver(rule, now) && isSame(each, rule, recipe)),
  )

function matchUntil({ match }: FaultRule, { lasts }: Recipe, now: number): Pick<FaultRule, "match"> {
  return lasts === undefined ? {} : { match: { ...match, until: timestamp(now + durationMs(lasts)) } }
}

/** Whether a rule is this one of the recipe, whenever it was applied. */
function isSame(
  ofRecipe: FaultRule,
  { match: { until, ...match } = {}, fault }: FaultRule,
  { lasts }: Recipe,
): boolean {
  const expected = { match: ofRecipe.match ?? {}, fault: ofRecipe.fault }
  return (until !== undefined) === (lasts !== undefined) && isDeepStrictEqual({ match, fault }, expected)
}

import type { ChosenRule, FaultRules, ParsedRule, WebhookFault } from "../../domain/sandbox/model.ts"
import { createDraws } from "./draws.ts"

/** The fault rules of a sandbox. They end with the process. */
export function createFaultRules(): FaultRules {
  let rules: { parsed: ParsedRule; count: number }[] = []
  const draws = createDraws()

  /** The first matching rule whose share and number of times include this match. */
  function choose(matches: (rule: ParsedRule) => boolean): ChosenRule | undefined {
    for (const [n, one] of rules.entries()) {
      const { share = 1, times = Number.POSITIVE_INFINITY, seed } = one.parsed.rule.match ?? {}
      if (one.count >= times || !matches(one.parsed)) continue
      const drawn = draws.next(String(n), seed)
      if (drawn.share >= share) continue
      one.count++
      return { ...one.parsed, draw: drawn.choice }
    }
    return undefined
  }

  return {
    read: () => rules.map(({ parsed: { rule }, count }) => ({ rule, count })),
    replace(replacing) {
      rules = replacing.map((parsed) => ({ parsed, count: 0 }))
      draws.forget()
    },
    isEmpty: () => rules.length === 0,
    ofRequest: (matches) => choose((rule) => rule.webhooks === undefined && matches(rule)),
    ofMessage: ({ webhookId, kind }) =>
      choose(({ rule: { match }, webhooks }) => {
        const { webhook = webhookId, event = kind } = match ?? {}
        return webhooks !== undefined && webhook === webhookId && event === kind
      }) as (ChosenRule & { webhooks: WebhookFault }) | undefined,
  }
}

import type { ChosenRule, FaultRules, ParsedRule, RequestFacts, WebhookFault } from "../model.ts"
import { isAtRulePath, ownPath } from "./rules.ts"
import { createSeededRandom } from "./seeded-random.ts"

type Entry = { parsed: ParsedRule; n: number; count: number }

/** They end with the process. */
export function createFaultRules(): FaultRules {
  let entries: Entry[] = []
  /** By operation, so that a rule costs only the requests that it can affect. */
  let ofOperation = new Map<string, Entry[]>()
  const random = createSeededRandom()

  /** The first matching rule whose share and number of times include this match. */
  function choose(among: readonly Entry[], matches: (rule: ParsedRule) => boolean): ChosenRule | undefined {
    for (const one of among) {
      const { share = 1, seed } = one.parsed.rule.match ?? {}
      if (isIdle(one) || !matches(one.parsed)) continue
      const drawn = random.next(String(one.n), seed)
      if (drawn.share >= share) continue
      one.count++
      return { ...one.parsed, draw: drawn.choice }
    }
    return undefined
  }

  return {
    read: () => entries.map(({ parsed: { rule }, count }) => ({ rule, count })),
    replace(replacing) {
      entries = replacing.map((parsed, n) => ({ parsed, n, count: 0 }))
      ofOperation = new Map()
      for (const entry of entries)
        for (const name of entry.parsed.operations) ofOperation.set(name, [...(ofOperation.get(name) ?? []), entry])
      random.forget()
    },
    mayAffect(operation, path) {
      const among = ofOperation.get(operation)
      return among?.some((one) => !isIdle(one) && isFor(one.parsed, path)) ?? false
    },
    ofRequest: ({ operation, path, keyId }: RequestFacts) =>
      choose(ofOperation.get(operation) ?? [], (rule) => {
        const { key = keyId } = rule.rule.match ?? {}
        return key === keyId && isFor(rule, path)
      }),
    ofMessage: ({ webhookId, kind, isOrdered }) =>
      choose(entries, ({ rule: { match }, webhooks }) => {
        const { webhook = webhookId, event = kind } = match ?? {}
        if (webhooks === undefined || (isOrdered && webhooks.kind === "reordered")) return false
        return webhook === webhookId && event === kind
      }) as (ChosenRule & { webhooks: WebhookFault }) | undefined,
  }
}

/** Whether it was switched off, or has affected as many as it may. */
const isIdle = ({ parsed: { rule }, count }: Entry): boolean =>
  rule.enabled === false || count >= (rule.match?.times ?? Number.POSITIVE_INFINITY)

const isFor = ({ path: expected }: ParsedRule, path: string): boolean =>
  expected === undefined || isAtRulePath(expected, ownPath(path))

import type { Clock } from "../../../core/kernel/clock.ts"
import type { ChosenRule, FaultRules, ParsedRule, RequestFacts, WebhookFault } from "../model.ts"
import { isAtRulePath, isOver, ownPath } from "./rules.ts"
import { createSeededRandom } from "./seeded-random.ts"

type Entry = { parsed: ParsedRule; n: number; count: number }

/** They end with the process; `clock` is that of the sandbox. */
export function createFaultRules(clock: Pick<Clock, "now">): FaultRules {
  let entries: Entry[] = []
  /** By target, so that a rule costs only the requests that it can affect. */
  let ofTarget = new Map<string, Entry[]>()
  const random = createSeededRandom()

  /** Whether it was switched off, or is over. */
  const isIdle = ({ parsed: { rule }, count }: Entry): boolean =>
    rule.enabled === false || isOver({ ...rule, count }, clock.now())

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
      entries = replacing.map(toEntry)
      ofTarget = new Map()
      for (const entry of entries)
        for (const name of entry.parsed.targets) ofTarget.set(name, [...(ofTarget.get(name) ?? []), entry])
      random.forget()
    },
    mayAffect(target, path) {
      const among = ofTarget.get(target)
      return among?.some((one) => !isIdle(one) && isFor(one.parsed, path)) ?? false
    },
    ofRequest: ({ target, path, keyId }: RequestFacts) =>
      choose(ofTarget.get(target) ?? [], (rule) => {
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

function toEntry(parsed: ParsedRule, n: number): Entry {
  const { count = 0, ...rule } = parsed.rule
  return { parsed: { ...parsed, rule }, n, count }
}

const isFor = ({ path: expected }: ParsedRule, path: string): boolean =>
  expected === undefined || isAtRulePath(expected, ownPath(path))

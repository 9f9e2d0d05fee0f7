import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { observedIn } from "../journal/observed.ts"
import type { FaultRules, RequestFaults } from "../model.ts"
import { delaySeconds } from "../rules.ts"
import { earlyBreakages, lateBreakages } from "./contract.ts"
import { readFaults } from "./read-faults.ts"
import { createSeededRandom, nameAt } from "./seeded-random.ts"
import type { Failures, PossibleRefusal } from "./targets.ts"

export type Decided = Omit<RequestFaults, "delay"> & { waitSeconds?: number }

/** Decides the faults of requests, and notes them in the exchange. */
export function createFaultChooser(rules: FaultRules) {
  const random = createSeededRandom()

  /** The faults that the request demands in `Prefer`, listed in `Preference-Applied` (RFC 7240 section 3). */
  function demanded(exchange: Exchange, failures: Failures): Decided | undefined {
    const { caller, address, request } = exchange
    const requested = readFaults(request.headers.prefer, failures)
    if (!requested) return undefined
    const { named, share = 1, seed } = requested
    const draw = random.next(caller ? String(caller.account.id) : address, seed)
    const isAny = Object.keys(named).length === 0
    const faults = draw.share >= share ? {} : decide(isAny ? anyOf(failures.refusals, draw.choice) : named, draw.choice)
    const words = wordsOf(faults)
    observedIn(exchange).fault = words
    const series = requested.share === undefined ? [] : [`faults=${share}${seed === undefined ? "" : `; seed=${seed}`}`]
    exchange.header("preference-applied", [...series, words ?? []].flat().join(", "))
    return faults
  }

  /** The faults of the first rule for the request. */
  function ruled(exchange: Exchange, target: string, { refusals }: Failures): Decided | undefined {
    const { path, caller } = exchange
    const keyId = caller?.credential.kind === "key" ? caller.credential.id : undefined
    const chosen = rules.ofRequest({ target, path, keyId })
    if (!chosen) return undefined
    const observed = observedIn(exchange)
    if (observed.judgement) observed.judgement.faultRule = chosen.rule
    const faults = decide(chosen.requests ?? anyOf(refusals, chosen.draw), chosen.draw)
    observed.fault = wordsOf(faults)
    return faults
  }

  return {
    mayHave: ({ request, path }: Exchange, target: string): boolean =>
      request.headers.prefer !== undefined || rules.mayAffect(target, path),
    /** The faults that the request demands, or else those of the rules; `failures` are those of its target. */
    choose: (exchange: Exchange, target: string, failures: Failures): Decided | undefined =>
      demanded(exchange, failures) ?? ruled(exchange, target, failures),
    /** Restarts every series, and removes the rules. */
    forget(): void {
      random.forget()
      rules.replace([])
    },
  }
}

/** One of the faults that a correct client can encounter. */
const anyOf = (refusals: readonly PossibleRefusal[], choice: number): RequestFaults => {
  const faults = new Map<string, RequestFaults>([
    ...refusals.filter(({ status }) => status === 429 || status >= 500).map(({ code }) => [code, { code }] as const),
    ...[...earlyBreakages, ...lateBreakages].map((breakage) => [breakage, { breakage }] as const),
  ])
  return faults.get(nameAt(choice, [...faults.keys()])) as RequestFaults
}

const decide = ({ delay, ...faults }: RequestFaults, draw: number): Decided =>
  delay ? { ...faults, waitSeconds: delaySeconds(delay, draw) } : faults

const wordsOf = ({ waitSeconds, code, retryAfter, breakage, hold, flaw }: Decided): string | undefined =>
  [
    ...(waitSeconds === undefined ? [] : [`wait=${waitSeconds}`]),
    ...(code
      ? [`code=${code}${retryAfter ? `; retry-after${retryAfter.isDate ? "-date" : ""}=${retryAfter.seconds}` : ""}`]
      : []),
    ...(breakage ? [`fault=${breakage}`] : []),
    ...(hold ? [`fault=${hold}`] : []),
    ...(flaw ? [`token=${flaw}`] : []),
  ].join(", ") || undefined

import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { observedIn } from "../journal/observed.ts"
import type { FaultRules, RequestFaults } from "../model.ts"
import { delaySeconds } from "../rules.ts"
import { earlyBreakages, lateBreakages } from "./contract.ts"
import { readFaults } from "./read-faults.ts"
import { createSeededRandom, nameAt } from "./seeded-random.ts"

export type Decided = Omit<RequestFaults, "delay"> & { waitSeconds?: number }

/** Decides the faults of requests, and notes them in the exchange. */
export function createFaultChooser(rules: FaultRules) {
  const random = createSeededRandom()

  /** The faults that the request demands in `Prefer`, listed in `Preference-Applied` (RFC 7240 section 3). */
  function demanded(exchange: Exchange, codes: readonly ProblemCode[]): Decided | undefined {
    const { caller, address, request } = exchange
    const requested = readFaults(request.headers.prefer, codes)
    if (!requested) return undefined
    const { named, share = 1, seed } = requested
    const draw = random.next(caller ? String(caller.account.id) : address, seed)
    const isAny = Object.keys(named).length === 0
    const faults = draw.share >= share ? {} : decide(isAny ? anyOf(codes, draw.choice) : named, draw.choice)
    const words = wordsOf(faults)
    observedIn(exchange).fault = words
    const series = requested.share === undefined ? [] : [`faults=${share}${seed === undefined ? "" : `; seed=${seed}`}`]
    exchange.header("preference-applied", [...series, words ?? []].flat().join(", "))
    return faults
  }

  /** The faults of the first rule for the request. */
  function ruled(exchange: Exchange, operation: string, codes: readonly ProblemCode[]): Decided | undefined {
    const { path, caller } = exchange
    const keyId = caller?.credential.kind === "key" ? caller.credential.id : undefined
    const chosen = rules.ofRequest({ operation, path, keyId })
    if (!chosen) return undefined
    const observed = observedIn(exchange)
    if (observed.judgement) observed.judgement.faultRule = chosen.rule
    const faults = decide(chosen.requests ?? anyOf(codes, chosen.draw), chosen.draw)
    observed.fault = wordsOf(faults)
    return faults
  }

  return {
    mayHave: ({ request, path }: Exchange, operation: string): boolean =>
      request.headers.prefer !== undefined || rules.mayAffect(operation, path),
    /** The faults that the request demands, or else those of the rules; `codes` are the problems of its operation. */
    choose: (exchange: Exchange, operation: string, codes: readonly ProblemCode[]): Decided | undefined =>
      demanded(exchange, codes) ?? ruled(exchange, operation, codes),
    /** Restarts every series, and removes the rules. */
    forget(): void {
      random.forget()
      rules.replace([])
    },
  }
}

/** One of the faults that a correct client can encounter. */
const anyOf = (codes: readonly ProblemCode[], choice: number): RequestFaults => {
  const faults = new Map<string, RequestFaults>([
    ...codes
      .filter((code) => problems[code].status === 429 || problems[code].status >= 500)
      .map((code) => [code, { code }] as const),
    ...[...earlyBreakages, ...lateBreakages].map((breakage) => [breakage, { breakage }] as const),
  ])
  return faults.get(nameAt(choice, [...faults.keys()])) as RequestFaults
}

const decide = ({ delay, ...faults }: RequestFaults, draw: number): Decided =>
  delay ? { ...faults, waitSeconds: delaySeconds(delay, draw) } : faults

const wordsOf = ({ waitSeconds, code, retryAfter, breakage, hold }: Decided): string | undefined =>
  [
    ...(waitSeconds === undefined ? [] : [`wait=${waitSeconds}`]),
    ...(code
      ? [`code=${code}${retryAfter ? `; retry-after${retryAfter.isDate ? "-date" : ""}=${retryAfter.seconds}` : ""}`]
      : []),
    ...(breakage ? [`fault=${breakage}`] : []),
    ...(hold ? [`fault=${hold}`] : []),
  ].join(", ") || undefined

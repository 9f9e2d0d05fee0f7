import { hash, randomBytes } from "node:crypto"
import type { Logger } from "pino"
import type { Static, TSchema } from "typebox"
import type { Caller } from "../domain/accounts/contract.ts"
import type { Context } from "../domain/context.ts"
import type { PhotoLab } from "../domain/images/lab.ts"
import type { Plans } from "../domain/limits/contract.ts"
import type { Limiter } from "../domain/limits/limiter.ts"
import type { Policy } from "../domain/policy.ts"
import type { Sealing } from "../domain/sealing.ts"
import type { Store } from "../domain/store.ts"
import type { Targets } from "../domain/targets.ts"
import type { Passwords } from "../domain/users/passwords.ts"
import type { Attempts } from "../domain/users/sessions/attempts.ts"
import { checkOf } from "../kernel/check.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import { Problem, Refusal, sentence, type Violation } from "../kernel/problem.ts"
import { bearerOf } from "./authentication/authenticate.ts"
import type { Exchange } from "./exchange.ts"
import { ifMatch } from "./messages/conditional-requests.ts"
import { credentialOf } from "./messages/request-log.ts"

/** What operations are given of the house they run in. */
export type Ports = {
  clock: Clock
  limiter: Limiter
  plans: Plans
  policy: Policy
  passwords: Passwords
  attempts: Attempts
  sealing: Sealing
  targets: Targets
  lab: PhotoLab
  log: Logger
  /** The address clients use, without a trailing slash; known once the server listens. */
  publicUrl(): string
}

/** What one request hands to its operation. */
export class RequestContext implements Context {
  readonly caller: Caller
  readonly store: Store
  readonly clock: Clock
  readonly plans: Plans
  readonly policy: Policy
  readonly passwords: Passwords
  readonly attempts: Attempts
  readonly sealing: Sealing
  readonly targets: Targets
  readonly lab: PhotoLab
  /** The network address the request comes from. */
  readonly address: string
  readonly refuse = refuse as never
  readonly random = randomBytes
  readonly sha256 = sha256
  /** The accounts whose credentials the operation has changed. */
  changed: Set<number> | undefined = undefined
  readonly #ports: Ports
  readonly #exchange: Exchange
  readonly #endpoint: Endpoint

  constructor(ports: Ports, exchange: Exchange, endpoint: Endpoint, store: Store) {
    this.caller = exchange.caller as Caller
    this.store = store
    this.clock = ports.clock
    this.plans = ports.plans
    this.policy = ports.policy
    this.passwords = ports.passwords
    this.attempts = ports.attempts
    this.sealing = ports.sealing
    this.targets = ports.targets
    this.lab = ports.lab
    this.address = exchange.address
    this.#ports = ports
    this.#exchange = exchange
    this.#endpoint = endpoint
  }

  get publicUrl(): string {
    return this.#ports.publicUrl()
  }

  get bearer(): string | undefined {
    return bearerOf(this.#exchange.request.headers.authorization)
  }

  get ifMatch(): readonly string[] | "*" | undefined {
    return this.#endpoint.conditional ? ifMatch(this.#exchange.request.headers["if-match"]) : undefined
  }

  // Operations take these apart from their context, so they are no methods.
  readonly log = (what: string, facts: Record<string, unknown>): void => {
    const { id, caller } = this.#exchange
    this.#ports.log.info({ requestId: id, ...(caller && credentialOf(caller)), ...facts }, what)
  }

  readonly credentialsChanged = (accountId: number): void => {
    this.changed ??= new Set()
    this.changed.add(accountId)
  }

  readonly standings = async () => {
    const { id, plan } = this.caller.account
    const quota = this.plans[plan]
    return quota ? this.#ports.limiter.standings(id, quota) : []
  }

  readonly accept = acceptOutcome
  readonly valid = judge
}

function acceptOutcome(outcome: unknown): never {
  if (outcome instanceof Refusal) refuse(outcome.code, outcome.detail, outcome.retryAfter)
  return outcome as never
}

function judge<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const violations = checkOf(schema)(value)
  if (violations.length > 0) refuse("invalid-body", violations)
  return value as Static<S>
}

const sha256 = (text: string): string => hash("sha256", text)

function refuse(code: string, detail: string | Violation[], retryAfter?: number): never {
  if (typeof detail !== "string") throw new Problem(code, sentence(detail), { violations: detail })
  throw new Problem(code, detail, retryAfter === undefined ? {} : { retryAfter })
}

import { hash, randomBytes } from "node:crypto"
import type { FastifyRequest } from "fastify"
import type { Logger } from "pino"
import type { TSchema } from "typebox"
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

/** What one request hands to its operation; `changed` collects the accounts whose credentials it changes. */
export function contextOf(
  { clock, limiter, plans, policy, passwords, attempts, sealing, targets, lab, log, publicUrl }: Ports,
  endpoint: Endpoint,
  request: FastifyRequest,
  store: Store,
  changed: Set<number>,
): Context {
  const caller = request.caller as Caller
  return {
    caller,
    store,
    clock,
    plans,
    policy,
    passwords,
    attempts,
    sealing,
    targets,
    lab,
    log: (what, facts) => log.info({ requestId: request.id, ...(caller && credentialOf(caller)), ...facts }, what),
    publicUrl: publicUrl(),
    refuse,
    random: randomBytes,
    sha256: (text) => hash("sha256", text),
    address: request.address,
    bearer: bearerOf(request.headers.authorization),
    ifMatch: endpoint.conditional ? ifMatch(request.headers["if-match"]) : undefined,
    credentialsChanged: (accountId) => void changed.add(accountId),
    async standings() {
      const quota = plans[caller.account.plan]
      return quota ? limiter.standings(caller.account.id, quota) : []
    },
    accept: (outcome) => {
      if (outcome instanceof Refusal) refuse(outcome.code, outcome.detail, outcome.retryAfter)
      return outcome as never
    },
    valid: <S extends TSchema>(schema: S, value: unknown) => {
      const violations = checkOf(schema)(value)
      if (violations.length > 0) refuse("invalid-body", violations)
      return value as never
    },
  }
}

function refuse(code: string, detail: string | Violation[], retryAfter?: number): never {
  if (typeof detail !== "string") throw new Problem(code, sentence(detail), { violations: detail })
  throw new Problem(code, detail, retryAfter === undefined ? {} : { retryAfter })
}

import type { Policy, Retention } from "./domain/policy.ts"
import { CannotStart } from "./kernel/cannot-start.ts"

/** The settings for policy and retention; part of the table in settings.ts. */
export const policySettings = {
  PETSTORE_REGISTRATION: {
    meaning: "`open`: anybody may register; `closed`: only staff register people",
    default: "open",
  },
  PETSTORE_REGISTRATIONS_PER_HOUR: {
    meaning: "People one address may register in an hour (an IPv6 /64 counts as one, a /48 as eight), or `unlimited`",
    default: "5 (sandbox: unlimited)",
  },
  PETSTORE_PASSWORD_MIN: {
    meaning: "The least characters of a new password, 1 to 128; a shorter one that exists stays valid",
    default: "8 (sandbox: 1)",
  },
  PETSTORE_OPEN_ORDERS: {
    meaning: "Undelivered orders a customer may have at once, or `unlimited`; staff are not limited",
    default: "10 (sandbox: unlimited)",
  },
  PETSTORE_ORDER_EXPIRY_DAYS: {
    meaning: "Days after which an unapproved order is cancelled; 0 means never",
    default: "7 (sandbox: 0)",
  },
  PETSTORE_RETENTION_EVENTS_DAYS: { meaning: "Days events are kept; at least 7", default: "30" },
  PETSTORE_RETENTION_DELIVERIES_DAYS: {
    meaning: "Days deliveries to webhooks and their attempts are kept; at least 7, and no longer than events",
    default: "30, or as long as events if that is less",
  },
  PETSTORE_RETENTION_IDEMPOTENCY_DAYS: {
    meaning: "Days the responses to requests with an `Idempotency-Key` are kept",
    default: "1",
  },
  PETSTORE_RETENTION_KEYS_DAYS: { meaning: "Days revoked API keys are kept in the database", default: "30" },
  PETSTORE_RETENTION_AUDIT_DAYS: { meaning: "Days the audit log is kept; at least 1", default: "365" },
  PETSTORE_SESSION_HOURS: { meaning: "Hours after which a login ends, 1 to 720", default: "12" },
} as const

type Name = keyof typeof policySettings
type Environment = Record<string, string | undefined>
type Profile = "sandbox" | "production"

const hourMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
const daysMax = 3650
const sessionHoursMax = 720
/** What the contract takes. */
const passwordLengthMax = 128
/** Longer than the attempts at a delivery take. */
const eventDaysMin = 7

/** Reads what unauthenticated callers and customers may do; throws CannotStart for an invalid value. */
export function policyOf(env: Environment, profile: Profile): Omit<Policy, "unlimitedAddresses"> {
  const registration = env.PETSTORE_REGISTRATION || "open"
  if (registration !== "open" && registration !== "closed") throw wrong("PETSTORE_REGISTRATION", env, "open or closed")
  return {
    registrationIsOpen: registration === "open",
    registrationsPerHour: countOf("PETSTORE_REGISTRATIONS_PER_HOUR", env, profile === "sandbox" ? undefined : 5),
    passwordLengthMin: lengthOf("PETSTORE_PASSWORD_MIN", env, profile === "sandbox" ? 1 : 8),
    openOrdersMax: countOf("PETSTORE_OPEN_ORDERS", env, profile === "sandbox" ? undefined : 10),
    sessionMs: hoursOf("PETSTORE_SESSION_HOURS", env, 12) * hourMs,
  }
}

/** Reads how long things are kept; throws CannotStart for an invalid value. */
export function retentionOf(env: Environment, profile: Profile): Retention {
  const eventDays = daysOf("PETSTORE_RETENTION_EVENTS_DAYS", env, 30, [eventDaysMin, daysMax])
  const deliveryRange = [eventDaysMin, eventDays] as const
  const placedDays = daysOf("PETSTORE_ORDER_EXPIRY_DAYS", env, profile === "sandbox" ? 0 : 7, [0, daysMax])
  return {
    events: eventDays * dayMs,
    deliveries: daysOf("PETSTORE_RETENTION_DELIVERIES_DAYS", env, Math.min(30, eventDays), deliveryRange) * dayMs,
    responses: daysOf("PETSTORE_RETENTION_IDEMPOTENCY_DAYS", env, 1, [1, daysMax]) * dayMs,
    revokedKeys: daysOf("PETSTORE_RETENTION_KEYS_DAYS", env, 30, [0, daysMax]) * dayMs,
    audit: daysOf("PETSTORE_RETENTION_AUDIT_DAYS", env, 365, [1, daysMax]) * dayMs,
    placedOrders: placedDays === 0 ? undefined : placedDays * dayMs,
  }
}

function daysOf(name: Name, env: Environment, otherwise: number, [least, most]: readonly [number, number]): number {
  const value = env[name]
  if (!value) return otherwise
  if (/^\d{1,4}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
  throw wrong(name, env, `a whole number of days from ${least} to ${most}`)
}

function hoursOf(name: Name, env: Environment, otherwise: number): number {
  const value = env[name]
  if (!value) return otherwise
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= sessionHoursMax) return Number(value)
  throw wrong(name, env, `a whole number of hours from 1 to ${sessionHoursMax}`)
}

function countOf(name: Name, env: Environment, otherwise: number | undefined): number | undefined {
  const value = env[name]
  if (!value) return otherwise
  if (value === "unlimited") return undefined
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value)
  throw wrong(name, env, "unlimited, or a whole number from 1 to 999999")
}

function lengthOf(name: Name, env: Environment, otherwise: number): number {
  const value = env[name]
  if (!value) return otherwise
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= passwordLengthMax) return Number(value)
  throw wrong(name, env, `a whole number from 1 to ${passwordLengthMax}`)
}

const wrong = (name: Name, env: Environment, expected: string) =>
  new CannotStart(`${name} is ${JSON.stringify(env[name])}; it must be ${expected}`)

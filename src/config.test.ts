import assert from "node:assert/strict"
import { test } from "node:test"
import { readConfig } from "./config.ts"
import { CannotStart } from "./kernel/cannot-start.ts"

const plansOf = (value: string) => readConfig({ PETSTORE_PLAN_FREE: value }).plans.free

test("plans are what the contract says unless an operator says otherwise", () => {
  assert.deepEqual(readConfig({}).plans, {
    free: { minute: 60, day: 1000 },
    pro: { minute: 600, day: 50_000 },
    enterprise: undefined,
  })
  assert.deepEqual(plansOf("5/min,7/day"), { minute: 5, day: 7 })
  assert.equal(plansOf("unlimited"), undefined)
})

test("a plan that cannot be meant is refused by name, with what would do", () => {
  for (const value of [
    "0/minute, 1/day",
    "60",
    "60/minute",
    "-1/minute, 1/day",
    "1e3/minute, 1/day",
    "60001/minute, 1/day",
  ])
    assert.throws(
      () => plansOf(value),
      (error) => error instanceof CannotStart && /^PETSTORE_PLAN_FREE is .*60\/minute, 1000\/day/.test(error.message),
    )
})

test("the paths of the classic v2 are off in production and on in the sandbox unless an operator says otherwise", () => {
  const told = (value: string) => ({ PETSTORE_CLASSIC_V2: value })
  assert.deepEqual([readConfig(production).hasV2, readConfig({}).hasV2], [false, true])
  assert.deepEqual([readConfig({ ...production, ...told("on") }).hasV2, readConfig(told("off")).hasV2], [true, false])
  assert.throws(() => readConfig(told("yes")), /PETSTORE_CLASSIC_V2 is "yes"; it must be on or off/)
})

test("address blocks are checked at the start", () => {
  assert.deepEqual(readConfig({ PETSTORE_TRUSTED_PROXIES: "10.0.0.0/8, ::1" }).trustedProxies, ["10.0.0.0/8", "::1"])
  assert.throws(
    () => readConfig({ PETSTORE_TRUSTED_PROXIES: "10.0.0.0/8,proxy" }),
    /PETSTORE_TRUSTED_PROXIES holds "proxy"/,
  )
})

const day = 86_400_000
const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }

test("strangers and customers are bounded in production and free in the sandbox unless an operator says otherwise", () => {
  const { policy, retention } = readConfig(production)
  assert.deepEqual(policy, {
    registrationIsOpen: true,
    registrationsPerHour: 5,
    passwordLengthMin: 8,
    openOrdersMax: 10,
    unlimitedAddresses: [],
  })
  assert.equal(retention.placedOrders, 7 * day)
  const sandbox = readConfig({})
  assert.deepEqual(
    [sandbox.policy.registrationsPerHour, sandbox.policy.openOrdersMax, sandbox.retention.placedOrders],
    [undefined, undefined, undefined],
  )
  const env = { PETSTORE_OPEN_ORDERS: "unlimited", PETSTORE_ORDER_EXPIRY_DAYS: "0", PETSTORE_REGISTRATION: "closed" }
  const told = readConfig({ ...production, ...env })
  assert.deepEqual(
    [told.policy.openOrdersMax, told.retention.placedOrders, told.policy.registrationIsOpen],
    [undefined, undefined, false],
  )
})

test("retention is what the documents say, and deliveries are never kept longer than their events", () => {
  const { placedOrders: _, ...retention } = readConfig({}).retention
  assert.deepEqual(retention, { events: 30 * day, deliveries: 30 * day, responses: day, revokedKeys: 30 * day })
  assert.equal(readConfig({ PETSTORE_RETENTION_EVENTS_DAYS: "7" }).retention.deliveries, 7 * day)
  const env = { PETSTORE_RETENTION_EVENTS_DAYS: "8", PETSTORE_RETENTION_DELIVERIES_DAYS: "9" }
  assert.throws(() => readConfig(env), /PETSTORE_RETENTION_DELIVERIES_DAYS is "9"; .* from 7 to 8/)
})

test("a name that is no setting is refused, with the one that was probably meant", () => {
  assert.throws(
    () => readConfig({ PETSTORE_PROT: "1" }),
    /PETSTORE_PROT is not a setting\. Did you mean PETSTORE_PORT\?$/,
  )
  assert.throws(() => readConfig({ PETSTORE_V: "1" }), /PETSTORE_V is not a setting; docs\/configuration\.md lists all/)
})

test("production needs the address clients use", () => {
  assert.throws(() => readConfig({ PETSTORE_PROFILE: "production" }), /PETSTORE_PUBLIC_URL is required in production/)
})

test("a number that cannot be meant is refused by name", () => {
  for (const [name, value] of [
    ["PETSTORE_REGISTRATION", "maybe"],
    ["PETSTORE_REGISTRATIONS_PER_HOUR", "0"],
    ["PETSTORE_PASSWORD_MIN", "0"],
    ["PETSTORE_PASSWORD_MIN", "129"],
    ["PETSTORE_OPEN_ORDERS", "-1"],
    ["PETSTORE_ORDER_EXPIRY_DAYS", "1.5"],
    ["PETSTORE_RETENTION_EVENTS_DAYS", "6"],
    ["PETSTORE_RETENTION_IDEMPOTENCY_DAYS", "0"],
    ["PETSTORE_RETENTION_KEYS_DAYS", "99999"],
  ] as const)
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof CannotStart && error.message.startsWith(`${name} is "${value}"; it must be `),
    )
})

test("what Kubernetes injects for services named petstore and petstore-web changes nothing and keeps nothing from starting", () => {
  const injected = (prefix: string) => ({
    [`${prefix}_SERVICE_HOST`]: "10.0.0.1",
    [`${prefix}_SERVICE_PORT`]: "80",
    [`${prefix}_SERVICE_PORT_HTTP`]: "80",
    [`${prefix}_PORT`]: "tcp://10.0.0.1:80",
    [`${prefix}_PORT_80_TCP`]: "tcp://10.0.0.1:80",
    [`${prefix}_PORT_80_TCP_ADDR`]: "10.0.0.1",
    [`${prefix}_PORT_80_TCP_PORT`]: "80",
    [`${prefix}_PORT_80_TCP_PROTO`]: "tcp",
  })
  assert.deepEqual(readConfig({ ...injected("PETSTORE"), ...injected("PETSTORE_WEB") }), readConfig({}))
  for (const name of ["PETSTORE_SERVICE", "PETSTORE_SERVICE_HOSTS", "PETSTORE_PORT_TCP", "PETSTORE_WEB_PORT"])
    assert.throws(() => readConfig({ [name]: "80" }), /is not a setting/)
  assert.throws(() => readConfig({ PETSTORE_PORT: "http://10.0.0.1:80" }), /PETSTORE_PORT is "http/)
})

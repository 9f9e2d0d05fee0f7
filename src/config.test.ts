import assert from "node:assert/strict"
import { test } from "node:test"
import { readClientConfig, readConfig, readLocations, serviceSettings, settings } from "./config.ts"
import { integer } from "./core/config/kinds.ts"
import { describeDefault, readTopic } from "./core/config/setting.ts"
import { CannotStart } from "./core/kernel/cannot-start.ts"
import { sandboxKeys } from "./parts/sandbox/seeds/keys.ts"
import { sandboxSettings } from "./parts/sandbox/settings.ts"

const plansOf = (value: string) => readConfig({ PETSTORE_PLAN_FREE: value }).plans.free

test("plans have the documented defaults and can be set by the operator", () => {
  assert.deepEqual(readConfig({}).plans, {
    free: { minute: 60, day: 1000 },
    pro: { minute: 600, day: 50_000 },
    enterprise: undefined,
  })
  assert.deepEqual(plansOf("5/min,7/day"), { minute: 5, day: 7 })
  assert.equal(plansOf("unlimited"), undefined)
})

test("an invalid plan is refused by name, with the valid form", () => {
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

test("the classic v2 paths are off in production and on in the sandbox by default", () => {
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

test("anonymous clients and customers are limited in production and not in the sandbox by default", () => {
  const { policy, retention } = readConfig(production)
  assert.deepEqual(policy, {
    registrationIsOpen: true,
    registrationsPerHour: 5,
    passwordLengthMin: 8,
    openOrdersMax: 10,
    sessionMs: day / 2,
    unlimitedAddresses: [],
  })
  assert.equal(retention.placedOrders, 7 * day)
  const sandbox = readConfig({})
  assert.deepEqual(
    {
      registrationsPerHour: sandbox.policy.registrationsPerHour,
      openOrdersMax: sandbox.policy.openOrdersMax,
      placedOrders: sandbox.retention.placedOrders,
    },
    { registrationsPerHour: undefined, openOrdersMax: undefined, placedOrders: undefined },
  )
  const env = { PETSTORE_OPEN_ORDERS: "unlimited", PETSTORE_ORDER_EXPIRY_DAYS: "0", PETSTORE_REGISTRATION: "closed" }
  const told = readConfig({ ...production, ...env })
  assert.deepEqual(
    {
      openOrdersMax: told.policy.openOrdersMax,
      placedOrders: told.retention.placedOrders,
      registrationIsOpen: told.policy.registrationIsOpen,
    },
    { openOrdersMax: undefined, placedOrders: undefined, registrationIsOpen: false },
  )
})

test("retention has the documented defaults, and deliveries are kept at most as long as events", () => {
  const { placedOrders: _, ...retention } = readConfig({}).retention
  const month = { events: 30 * day, deliveries: 30 * day, revokedKeys: 30 * day }
  assert.deepEqual(retention, { ...month, responses: day, audit: 365 * day })
  assert.equal(readConfig({ PETSTORE_RETENTION_AUDIT_DAYS: "1" }).retention.audit, day)
  assert.throws(() => readConfig({ PETSTORE_RETENTION_AUDIT_DAYS: "0" }), /from 1 to 3650/)
  assert.equal(readConfig({ PETSTORE_RETENTION_EVENTS_DAYS: "7" }).retention.deliveries, 7 * day)
  const env = { PETSTORE_RETENTION_EVENTS_DAYS: "8", PETSTORE_RETENTION_DELIVERIES_DAYS: "9" }
  assert.throws(() => readConfig(env), /PETSTORE_RETENTION_DELIVERIES_DAYS is "9"; .* from 7 to 8/)
  const deliveries = (days: string) =>
    readConfig({ ...env, PETSTORE_RETENTION_DELIVERIES_DAYS: days }).retention.deliveries
  assert.deepEqual([deliveries("7"), deliveries("8")], [7 * day, 8 * day])
  assert.equal(readConfig({ PETSTORE_RETENTION_EVENTS_DAYS: "31" }).retention.deliveries, 30 * day)
})

test("the lifetime of a login can be set in hours", () => {
  assert.equal(readConfig({ PETSTORE_SESSION_HOURS: "1" }).policy.sessionMs, day / 24)
  for (const hours of ["0", "721", "1.5"])
    assert.throws(() => readConfig({ PETSTORE_SESSION_HOURS: hours }), /whole number of hours from 1 to 720/)
})

test("an unknown setting is refused, with the nearest known name", () => {
  assert.throws(
    () => readConfig({ PETSTORE_PROT: "1" }),
    /PETSTORE_PROT is not a setting\. Did you mean PETSTORE_PORT\?$/,
  )
  assert.throws(() => readConfig({ PETSTORE_V: "1" }), /PETSTORE_V is not a setting; docs\/configuration\.md lists all/)
})

test("production requires the URL that clients use", () => {
  assert.throws(() => readConfig({ PETSTORE_PROFILE: "production" }), /PETSTORE_PUBLIC_URL is required in production/)
})

test("PostgreSQL requires the shared key, and no message contains the password of its URL", () => {
  const env = { PETSTORE_DATABASE_URL: "postgres://me:hidden@db/petstore" }
  assert.throws(() => readConfig(env), /PETSTORE_SECRET_KEY is required with PostgreSQL.*openssl rand -base64 32/)
  const { database } = readConfig({ ...env, PETSTORE_SECRET_KEY: Buffer.alloc(32).toString("base64") })
  assert.deepEqual(database, { kind: "postgres", url: env.PETSTORE_DATABASE_URL, connections: 20 })
  const several = "postgres://me:hidden@one:5433,two:5434/petstore"
  readConfig({ PETSTORE_DATABASE_URL: several, PETSTORE_SECRET_KEY: Buffer.alloc(32).toString("base64") })
  for (const url of [
    "postgre://me:hidden@db/petstore",
    "postgres://me:hidden@db:port/petstore",
    "postgres://me:hidden@one,two:port/petstore",
  ])
    assert.throws(
      () => readConfig({ PETSTORE_DATABASE_URL: url }),
      (error) => error instanceof CannotStart && !error.message.includes("hidden"),
    )
})

test("no setting is refused with what precedes the last @ of a URL, in which a password has any characters (slow)", () => {
  for (const { variable } of settings)
    for (const scheme of ["postgres", "rediss", "s3", "https", "http", "file", "unknown"])
      for (const reserved of ["@", "/", "#", "?", "%", "+ ", "&", "@ss/w:rd#%+ ?&"]) {
        const env = { [variable]: `${scheme}://zebra:okapi${reserved}tapir@127.0.0.1:99999/x` }
        const message = messageOf(() => readConfig(env))
        assert.doesNotMatch(message, /zebra|okapi|tapir/, `${Object.values(env)}: ${message}`)
      }
})

test("a reserved character in the password of a server must be percent-encoded", () => {
  const key = { PETSTORE_SECRET_KEY: Buffer.alloc(32).toString("base64") }
  for (const [variable, scheme] of [
    ["PETSTORE_DATABASE_URL", "postgres"],
    ["PETSTORE_REDIS_URL", "redis"],
  ])
    for (const reserved of ["@ss/w:rd#%+ ?&", "/", "#", "?", "%", "%z"]) {
      const url = `${scheme}://me:a${reserved}b@127.0.0.1:1`
      const read = (text: string) => readConfig({ ...key, [variable as string]: text })
      assert.match(
        messageOf(() => read(url)),
        /^PETSTORE_\w+_URL has a reserved character.* percent-encode it \(@ is %40/,
      )
      const password = encodeURIComponent(`a${reserved}b`)
      assert.equal(
        messageOf(() => read(`${scheme}://me:${password}@127.0.0.1:1`)),
        "",
      )
    }
})

test("an address of the service or of an issuer holds no credentials", () => {
  for (const variable of ["PETSTORE_PUBLIC_URL", "PETSTORE_OIDC_ISSUER"])
    assert.match(
      messageOf(() => readConfig({ [variable]: "https://me:hidden@a.example" })),
      /"…@a\.example"/,
    )
})

const messageOf = (read: () => unknown): string => {
  try {
    read()
    return ""
  } catch (error) {
    assert.ok(error instanceof CannotStart)
    return error.message
  }
}

test("an invalid number is refused by name", () => {
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

test("variables that Kubernetes injects for services named petstore and petstore-web are ignored", () => {
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
  const { read: _, ...config } = readConfig({ ...injected("PETSTORE"), ...injected("PETSTORE_WEB") })
  const { read: __, ...usual } = readConfig({})
  assert.deepEqual(config, usual)
  for (const name of ["PETSTORE_SERVICE", "PETSTORE_SERVICE_HOSTS", "PETSTORE_PORT_TCP", "PETSTORE_WEB_PORT"])
    assert.throws(() => readConfig({ [name]: "80" }), /is not a setting/)
  assert.throws(() => readConfig({ PETSTORE_PORT: "http://10.0.0.1:80" }), /PETSTORE_PORT is "http/)
})

test("logging defaults to info, truncated addresses and the format that suits the output", () => {
  assert.deepEqual(readConfig({}).logging, { level: "info", format: undefined, address: "truncated" })
  const env = { PETSTORE_LOG_LEVEL: "error", PETSTORE_LOG_FORMAT: "text", PETSTORE_LOG_ADDRESS: "none" }
  assert.deepEqual(readConfig(env).logging, { level: "error", format: "text", address: "none" })
  for (const name of Object.keys(env))
    assert.throws(() => readConfig({ [name]: "yes" }), new RegExp(`${name} is "yes"; it must be `))
})

test("metrics have no separate port by default", () => {
  assert.equal(readConfig({}).metricsPort, undefined)
  assert.equal(readConfig({ PETSTORE_METRICS_PORT: "9464" }).metricsPort, 9464)
  assert.throws(() => readConfig({ PETSTORE_METRICS_PORT: "http" }), /PETSTORE_METRICS_PORT is "http"/)
})

test("a Redis URL is validated, and an invalid one is not repeated: it may contain a password", () => {
  const read = (PETSTORE_REDIS_URL: string) => readConfig({ PETSTORE_REDIS_URL }).redisUrl
  assert.equal(readConfig({}).redisUrl, undefined)
  for (const url of ["redis://127.0.0.1:6379", "rediss://visitor:secret@redis.example/1", "redis://[::1]"])
    assert.equal(read(url), url)
  for (const url of ["localhost:6379", "http://:secret@redis.example", "redis://", "redis://secret@host/zero"])
    assert.throws(
      () => read(url),
      (error) =>
        error instanceof CannotStart &&
        error.message.startsWith("PETSTORE_REDIS_URL must be like redis://HOST:PORT") &&
        !error.message.includes("secret"),
    )
})

test("a default is stated once: value and documentation derive from it", () => {
  for (const [sandbox, production] of [
    ["3", "4"],
    ["5", "6"],
  ] as const) {
    const setting = {
      variable: "PETSTORE_N",
      kind: integer({ min: 1, max: 9 }),
      default: sandbox,
      inProduction: production,
      meaning: "",
    }
    assert.equal(readTopic({ setting }, {}).setting, Number(sandbox))
    assert.equal(readTopic({ setting }, { PETSTORE_N: "" }, true).setting, Number(production))
    assert.equal(readTopic({ setting }, { PETSTORE_N: "9" }, true).setting, 9)
    assert.equal(describeDefault(setting), `${production} (sandbox: ${sandbox})`)
  }
})

test("no two settings read the same variable", () => {
  const variables = settings.map(({ variable }) => variable)
  assert.ok(variables.length > 40)
  assert.equal(new Set(variables).size, variables.length)
})

test("anonymous requests can act for a key of the sandbox, and never in production", () => {
  for (const { secret } of sandboxKeys) assert.equal(readConfig({ PETSTORE_ANONYMOUS: secret }).anonymousKey, secret)
  assert.equal(readConfig({}).anonymousKey, undefined)
  assert.throws(() => readConfig({ PETSTORE_ANONYMOUS: "other" }), /must be special-key or pro-key or free-key/)
  assert.throws(
    () => readConfig({ ...production, PETSTORE_ANONYMOUS: "special-key" }),
    /PETSTORE_ANONYMOUS is for the sandbox/,
  )
})

test("an external issuer has an audience, and an audience an issuer", () => {
  const [issuer, audience] = ["https://issuer.example", "petstore"]
  assert.equal(readConfig({}).externalIssuer, undefined)
  const both = readConfig({ PETSTORE_OIDC_ISSUER: issuer, PETSTORE_OIDC_AUDIENCE: audience })
  assert.deepEqual(both.externalIssuer, { issuer, audience })
  for (const env of [{ PETSTORE_OIDC_ISSUER: issuer }, { PETSTORE_OIDC_AUDIENCE: audience }])
    assert.throws(
      () => readConfig(env),
      new CannotStart("PETSTORE_OIDC_ISSUER and PETSTORE_OIDC_AUDIENCE are set together or not at all"),
    )
})

test("a seed and defects are for the sandbox", () => {
  const { seed, defects } = readConfig({ PETSTORE_SEED: "empty", PETSTORE_DEFECTS: "null-member" }).read(
    sandboxSettings,
  )
  assert.deepEqual({ seed, defects }, { seed: { seed: "empty" }, defects: ["null-member"] })
  assert.deepEqual(readConfig({ ...production, PETSTORE_SEED: "" }).profile, "production")
  for (const [env, because] of [
    [{ PETSTORE_SEED: "empty" }, "PETSTORE_SEED is for the sandbox; production begins without pets"],
    [{ PETSTORE_DEFECTS: "null-member" }, "PETSTORE_DEFECTS is for the sandbox; production has none on purpose"],
  ] as const)
    assert.throws(() => readConfig({ ...production, ...env }), new CannotStart(because))
})

test("the command line keeps its state where programs of the user do; a relative directory is ignored", () => {
  const stateDir = (XDG_STATE_HOME?: string) => readClientConfig({ XDG_STATE_HOME }, "/home/me").stateDir
  assert.deepEqual([undefined, "", "state", "/state"].map(stateDir), [
    "/home/me/.local/state/petstore",
    "/home/me/.local/state/petstore",
    "/home/me/.local/state/petstore",
    "/state/petstore",
  ])
  assert.equal(readClientConfig({ PETSTORE_URL: "http://a" }, "/").url, "http://a")
  assert.throws(() => readClientConfig({ PETSTORE_URLS: "http://a" }, "/"), /PETSTORE_URLS is not a setting/)
})

test("the locations of the data are read without the other settings, whose names are checked", () => {
  const { database } = readLocations({ PETSTORE_DATABASE_URL: "postgres://a/b", PETSTORE_PORT: "invalid" })
  assert.deepEqual(database, { kind: "postgres", url: "postgres://a/b", connections: 20 })
  assert.throws(() => readLocations({ PETSTORE_PROT: "1" }), /PETSTORE_PROT is not a setting/)
})

test("the settings of the service are all but those of the command line", () => {
  const service = new Set(serviceSettings)
  assert.deepEqual(
    settings.filter((setting) => !service.has(setting)).map(({ variable }) => variable),
    ["PETSTORE_URL", "PETSTORE_API_KEY", "PETSTORE_TOKEN"],
  )
})

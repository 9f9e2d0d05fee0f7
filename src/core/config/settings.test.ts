import assert from "node:assert/strict"
import { test } from "node:test"
import { Refusal } from "./setting.ts"
import { coreTopics, refuseUnknown, settingsOf } from "./settings.ts"

const settings = settingsOf([], coreTopics)

test("a variable of another program is ignored, and one that looks like a setting refused with the nearest name", () => {
  refuseUnknown({ PETSTORE_HOST: "x", PETSTOR_HOST: "x", HOST: "x", OTEL_EXPORTER_OTLP_ENDPOINT: "x" }, settings)
  for (const [name, message] of [
    ["PETSTORE_HOTS", "PETSTORE_HOTS is not a setting. Did you mean PETSTORE_HOST?"],
    ["PETSTORE_", "PETSTORE_ is not a setting; docs/configuration.md lists all of them"],
    ["PETSTORE_XYZXYZ", "PETSTORE_XYZXYZ is not a setting; docs/configuration.md lists all of them"],
  ] as const)
    assert.throws(() => refuseUnknown({ [name]: "" }, settings), { message })
})

for (const [name, min, max] of [
  ["PETSTORE_PORT", 0, 65_535],
  ["PETSTORE_METRICS_PORT", 0, 65_535],
  ["PETSTORE_DRAIN_SECONDS", 0, 3_600],
  ["PETSTORE_CONNECTIONS_PER_ADDRESS", 1, 10_000],
  ["PETSTORE_DATABASE_CONNECTIONS", 2, 500],
  ["PETSTORE_REGISTRATIONS_PER_HOUR", 1, 999_999],
  ["PETSTORE_OPEN_ORDERS", 1, 999_999],
  ["PETSTORE_PASSWORD_MIN", 1, 128],
  ["PETSTORE_SESSION_HOURS", 1, 720],
  ["PETSTORE_RETENTION_EVENTS_DAYS", 7, 3_650],
  ["PETSTORE_RETENTION_DELIVERIES_DAYS", 7, 3_650],
  ["PETSTORE_RETENTION_IDEMPOTENCY_DAYS", 1, 3_650],
  ["PETSTORE_RETENTION_KEYS_DAYS", 0, 3_650],
  ["PETSTORE_RETENTION_AUDIT_DAYS", 1, 3_650],
  ["PETSTORE_ORDER_EXPIRY_DAYS", 0, 3_650],
  ["PETSTORE_PHOTOS_FREE", 0, 999_999_999],
] as const)
  test(`${name} is from ${min} to ${max}`, () => {
    const setting = settings.find(({ variable }) => variable === name)
    const isRefused = (number: number) => setting?.kind.parse(String(number)) instanceof Refusal
    assert.deepEqual([min - 1, min, min + 1, max, max + 1].map(isRefused), [true, false, false, false, true])
  })

test("0 alone means that orders do not expire", () => {
  const read = settings.find(({ variable }) => variable === "PETSTORE_ORDER_EXPIRY_DAYS")?.kind.parse
  assert.equal(read?.("0"), undefined)
  assert.ok(read?.("00") instanceof Refusal)
})

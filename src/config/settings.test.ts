import assert from "node:assert/strict"
import { test } from "node:test"
import { refuseUnknown, serviceSettings, settings } from "./settings.ts"

test("a variable of another program is ignored, and one that looks like a setting refused with the nearest name", () => {
  refuseUnknown({ PETSTORE_HOST: "x", PETSTOR_HOST: "x", HOST: "x", OTEL_EXPORTER_OTLP_ENDPOINT: "x" })
  for (const [name, message] of [
    ["PETSTORE_HOTS", "PETSTORE_HOTS is not a setting. Did you mean PETSTORE_HOST?"],
    ["PETSTORE_", "PETSTORE_ is not a setting; docs/configuration.md lists all of them"],
    ["PETSTORE_XYZXYZ", "PETSTORE_XYZXYZ is not a setting; docs/configuration.md lists all of them"],
  ] as const)
    assert.throws(() => refuseUnknown({ [name]: "" }), { message })
})

test("the settings of the service are all but those of the command line", () => {
  const service = new Set(serviceSettings)
  assert.deepEqual(
    settings.filter((setting) => !service.has(setting)).map(({ variable }) => variable),
    ["PETSTORE_URL", "PETSTORE_API_KEY", "PETSTORE_TOKEN"],
  )
})

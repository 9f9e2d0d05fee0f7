import { join } from "node:path"
import { test } from "node:test"
import { serverUrl } from "./harness/database.ts"
import { recordResponses } from "./harness/recorded-responses.ts"

const file = join(import.meta.dirname, "..", "src", "parts", "descriptions", "openapi", "responses.ts")
const skip = serverUrl !== undefined && "ids differ between databases"

test("the examples of responses are what the service responds, for every operation, also those of a sandbox", {
  skip,
}, async (t) => {
  const text = await recordResponses()
  try {
    t.assert.fileSnapshot(text, file, { serializers: [(text) => text] })
  } catch (error) {
    const message = "responses.ts does not match the service. If the change is intended, run npm run golden."
    throw new Error(message, { cause: error })
  }
})

import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { conformChapters } from "../src/examiner/conform/chapters.ts"
import { runConform } from "../src/examiner/conform/run-conform.ts"
import { openSubject } from "../src/examiner/conform/subject.ts"
import { startReceiver } from "./harness/receiver.ts"
import { usePetstore } from "./harness/use.ts"

const petstore = usePetstore()
const signal = new AbortController().signal
const keys = { key: "special-key", limitedKey: "free-key", readerKey: undefined }

for (const { name: chapter, tasks } of conformChapters)
  describe(`conform: ${chapter}`, () => {
    for (const { name, expects, examine } of tasks)
      test(`${name}: ${expects}`, async () => {
        await using subject = openSubject({ url: `${petstore.url}/api/v3`, ...keys })
        await examine(subject)
      })
  })

describe("a service that says one thing to everything", () => {
  /** The checks that such a service passes. */
  async function passedBy(status: number, body: string): Promise<string[]> {
    await using service = await startReceiver()
    service.respond((_request, response) => void response.writeHead(status).end(body))
    const conform = { url: service.url, ...keys, chapters: conformChapters, claims: new Set<string>(), signal }
    const verdicts = await runConform(conform, () => undefined)
    return verdicts.filter(({ outcome }) => outcome === "passed").map(({ name }) => name)
  }

  for (const [status, body] of [
    [200, "{}"],
    [200, "[]"],
    [200, "null"],
    [401, "{}"],
    [404, "{}"],
    [500, "{}"],
  ] as const)
    test(`passes no check by ${status} ${body}`, async () => assert.deepEqual(await passedBy(status, body), []))
})

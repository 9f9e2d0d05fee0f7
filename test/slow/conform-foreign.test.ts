import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { after, test } from "node:test"
import { conformChapters } from "../../src/examiner/conform/chapters.ts"
import type { Check } from "../../src/examiner/conform/check.ts"
import { openSubject } from "../../src/examiner/conform/subject.ts"
import { giveVerdict } from "../../src/examiner/verdict.ts"
import { missingProgram } from "../harness/installed.ts"

const skip = missingProgram("python3")
const checks = conformChapters.flatMap(({ tasks }) => tasks)

/** Starts the store. */
async function openStore() {
  const child = spawn("python3", [join(import.meta.dirname, "conform", "foreign-store.py")])
  after(() => child.kill())
  const [port] = await once(child.stdout, "data")
  const url = `http://127.0.0.1:${Number(String(port))}`
  const state = async (): Promise<unknown> => (await fetch(`${url}/state`)).json()
  const initial = await state()
  /** The verdicts of checks, each of which leaves the store as it was. */
  return async (list: readonly Check[]): Promise<Record<string, string>> => {
    const verdicts: [string, string][] = []
    for (const { name, examine } of list) {
      {
        await using subject = openSubject({ url, key: "any", limitedKey: "any", readerKey: undefined })
        const { outcome } = await giveVerdict(() => examine(subject), subject.sent)
        verdicts.push([name, outcome])
      }
      assert.deepEqual(await state(), initial, `${name} leaves the store as it was`)
    }
    return Object.fromEntries(verdicts)
  }
}

/** What the store does wrong, and the checks that miss it. */
const faults = {
  "gives no ids": ["gives-each-pet-an-id", "gives-ids-to-names"],
  overwrites: ["zero-is-no-id", "overwrites-nothing"],
  "checks no schema": [
    ...["refuses-a-pet-without-name", "refuses-a-pet-without-photos", "refuses-an-unknown-status"],
    ...["refuses-other-values", "refuses-wrong-types", "refuses-blank-names", "refuses-nul", "refuses-half-characters"],
    ...["has-bounds", "ignores-unknown-members", "keeps-one-of-equal-tags", "refuses-scripts-as-photos"],
    ...["says-all-that-is-wrong", "survives-malformed-paths"],
  ],
  "fails instead of refusing": ["reads-no-entities", "refuses-depth", "discloses-nothing"],
  "checks no login": ["logs-in", "hides-passwords", "needs-a-credential"],
  "keeps no image": ["accepts-an-image"],
  "knows little of HTTP": ["says-which-methods", "refuses-other-media-types", "refuses-other-representations"],
}

test("each check says the same of a foreign store in both orders, misses its faults only, and leaves nothing", {
  skip,
}, async () => {
  const examine = await openStore()
  const verdicts = await examine(checks)
  assert.deepEqual(await examine(checks.toReversed()), verdicts)
  const withOutcome = (outcome: string) => Object.keys(verdicts).filter((name) => verdicts[name] === outcome)
  assert.deepEqual(withOutcome("missed").sort(), Object.values(faults).flat().sort())
  for (const name of ["accepts-xml", "accepts-a-form", "null-is-omitted", "updates-a-user", "zero-and-less-are-404"])
    assert.equal(verdicts[name], "passed", name)
  assert.equal(verdicts["concurrent-ids-differ"], "unclaimed")
  assert.ok(withOutcome("passed").length > 35)
})

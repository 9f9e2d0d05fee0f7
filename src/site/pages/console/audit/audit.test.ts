import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit } from "../../../../../test/harness/visit.ts"
import { auditPage } from "./audit.ts"

test("the times of a search are in UTC, and its other filters as they were given", async () => {
  const asked = async (query: string) => {
    const { visit, called } = openVisit({ path: "/audit", query, calls: { listAudit: { value: [] } } })
    const { text } = await auditPage.show(visit)
    assert.match(text, /No entries match\. <a href="\/console\/audit">Show all<\/a>/)
    return called
  }
  const query = (given: object) => [["listAudit", { query: { limit: 25, ...given } }]]
  assert.deepEqual(await asked(""), query({}))
  const [since, until] = ["2026-01-01T00:00", "2026-01-02T00:00:30"]
  assert.deepEqual(await asked(`since=${since}`), query({ since: `${since}:00Z` }))
  assert.deepEqual(await asked(`until=${until}&thing=key:7`), query({ until: `${until}Z`, thing: "key:7" }))
})

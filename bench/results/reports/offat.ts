// The results of OFFAT as JUnit XML: node offat.ts RESULTS OPENAPI
import { readFileSync } from "node:fs"
import { toJunit } from "./junit.ts"

type Result = {
  test_name: string
  method: string
  endpoint: string
  response_status_code: number
  vulnerable: boolean
  response_body: string
  /** What shows that an injection had an effect: a text in the response. */
  response_match_regex?: string
  data_leak: Record<string, unknown>
}

const [results, description] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")))
const literalOf = (path: string) => path.replaceAll(/\{\w+\}/g, "")
const templates = Object.keys(description.paths)
  .toSorted((one, other) => literalOf(other).length - literalOf(one).length)
  .map((path) => ({ path, pattern: new RegExp(`/api/v3${path.replaceAll(/\{\w+\}/g, ".+")}/?$`, "s") }))

const found = (results.results as Result[]).filter(isVulnerable).map((result) => ({
  name: operationOf(result),
  check: result.test_name,
  status: result.response_status_code,
}))
// One for each kind of data: it searches each response for a list of patterns.
const kinds = new Set((results.results as Result[]).flatMap(({ data_leak }) => Object.keys(data_leak)))
process.stdout.write(
  toJunit([...found, ...[...kinds].map((kind) => ({ name: "any operation", check: `exposes ${kind}` }))]),
)

/** Not by a text in the name of the sandbox or the id of the request, which are random: the pattern of one test is `49`. */
function isVulnerable({ vulnerable, response_body, response_match_regex }: Result): boolean {
  const body = response_body.replaceAll(/defects-[\w-]+|127\.0\.0\.1:\d+|"requestId":"[^"]*"/g, "")
  return vulnerable && (response_match_regex === undefined || new RegExp(response_match_regex).test(body))
}

/** Paths have values, which are random. */
function operationOf({ method, endpoint }: Result): string {
  return `${method} ${templates.find(({ pattern }) => pattern.test(endpoint))?.path ?? "another path"}`
}

import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { runTool } from "../harness/foreign-tools.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const tools = join(import.meta.dirname, "..", "..", "bench", "results", "reports")

const clean = join(directory.path, "clean.xml")
writeFileSync(clean, "<testsuite/>")

/** What failed, in the report that this adapter makes of files with this content. */
async function failures(adapter: string, ...contents: object[]): Promise<string[]> {
  const files = contents.map((content, n) => {
    const file = join(directory.path, `${adapter}-${n}.json`)
    writeFileSync(file, JSON.stringify(content))
    return file
  })
  const report = join(directory.path, `${adapter}.xml`)
  writeFileSync(report, await runTool(process.execPath, [join(tools, `${adapter}.ts`), ...files], directory.path))
  const flags = ["--clean", clean, "--report", `emoji-fails=${report}`, "--json"]
  const { out } = await petstoreCommand("http://127.0.0.1:8080", ["defects", "score", ...flags])
  return JSON.parse(out).findings[0].by
}

test("each failed check of the last attempt of a step is a failure of Redocly Respect with its status", async () => {
  const step = (stepId: string, statusCode: number, ...checks: [string, string][]) => ({
    stepId,
    checks: checks.map(([name, status]) => ({ name, status })),
    response: { statusCode },
  })
  const repeated = step("see", 503, ["success criteria check", "error"])
  const called = { workflowId: "called", executedSteps: [step("inner", 500, ["status code check", "error"])] }
  const first = step(
    "see",
    200,
    ["schema check", "error"],
    ["content-type check", "warn"],
    ["status code check", "success"],
  )
  const log = {
    files: { "a.yaml": { executedWorkflows: [{ workflowId: "order", executedSteps: [repeated, first, called] }] } },
  }
  assert.deepEqual(await failures("respect", log), [
    "order see: schema check 200",
    "order see: content-type check 200",
    "called inner: status code check 500",
  ])
  assert.deepEqual(await failures("respect", { files: {} }), [])
})

test("what OFFAT calls vulnerable is a failure of the operation, unless by a text that is random, and what it calls exposed one of each kind", async () => {
  const result = (endpoint: string, vulnerable: boolean, more: object = {}) => ({
    test_name: "BOLA <Path> Test",
    method: "GET",
    endpoint: `/s/defects-1/api/v3${endpoint}`,
    response_status_code: 200,
    response_body: `{"instance":"/s/defects-49-a/x","requestId":"49"}`,
    vulnerable,
    data_leak: {},
    ...more,
  })
  const paths = ["/pet/{petId}", "/pet/findByStatus", "/pet/{petId}/uploadImage"]
  const description = { paths: Object.fromEntries(paths.map((path) => [path, {}])) }
  const results = [
    result("/pet/5", true),
    result("/pet/6", true, { data_leak: { email: ["x"] } }),
    result("/pet/7/uploadImage", true),
    result("/pet/8/uploadImage", true, { test_name: "SSTI", response_match_regex: "49" }),
    result("/pet/findByStatus", true, { test_name: "SSTI", response_match_regex: "49", response_body: "49" }),
    result("/pet/9", false, { data_leak: { email: ["x"], ip: ["y"] } }),
    result("/nowhere", true),
  ]
  assert.deepEqual(await failures("offat", { results }, description), [
    "GET /pet/{petId}: BOLA <Path> Test 200",
    "GET /pet/{petId}/uploadImage: BOLA <Path> Test 200",
    "GET /pet/findByStatus: SSTI 200",
    "GET another path: BOLA <Path> Test 200",
    "any operation: exposes email",
    "any operation: exposes ip",
  ])
})

import { join } from "node:path"
import { runTool, schemathesis, testingTools } from "../../test/harness/foreign-tools.ts"
import { requirePath } from "./adapters.ts"
import type { Given, Skipped } from "./published.ts"

/** A tool that tests APIs; its program is the first word of the command. */
export type TestingTool = {
  name: string
  install(): Promise<string>
  version(path: string): Promise<string>
  given: Given
  command: string
}

const root = join(import.meta.dirname, "..", "..")
const npm = async () => join(requirePath(await testingTools()), "node_modules", ".bin")
const versionBy = (program: string) => async (path: string) =>
  (await runTool("bash", ["-c", `${join(path, program)} --version`], root)).match(/\d+\.\d+\.\d+/)?.[0] ?? ""

const whole: Given = { operations: "all", means: ["ETag", "If-Match", "Idempotency-Key", "Prefer"] }
const operationsOnly: Given = { operations: "all", means: [] }
const everything: Given = {
  operations: "all",
  means: [...whole.means, "limited key", "reader key", "user token", "receiver"],
}

const download = "curl --silent $TEST_OPENAPI?version=3.0 > openapi.json"
const keyHeader = '"api_key: $TEST_KEY"'
const collection = "newman run $FOLDER/postman.json --reporters json --reporter-json-export $TEST_REPORT"

export const tools: readonly TestingTool[] = [
  {
    name: "petstore conform",
    install: async () => root,
    version: async () => "",
    given: everything,
    command: "petstore conform $TEST_URL/api/v3 --claims all --junit $TEST_REPORT",
  },
  {
    name: "Schemathesis",
    install: async () => join(requirePath(await schemathesis()), "bin"),
    version: versionBy("schemathesis"),
    given: whole,
    command:
      `schemathesis run $TEST_OPENAPI --header ${keyHeader} --max-examples 50 --seed 1 ` +
      "--report junit --report-junit-path $TEST_REPORT",
  },
  {
    name: "Prism proxy, Newman",
    install: npm,
    version: versionBy("prism"),
    given: operationsOnly,
    command:
      `prism proxy --errors --port $PORT $TEST_OPENAPI $TEST_URL/api/v3 & ` +
      `until curl --silent 127.0.0.1:$PORT; do sleep 0.2; done; ${collection} --env-var url=http://127.0.0.1:$PORT; kill %1`,
  },
  {
    name: "Newman",
    install: npm,
    version: versionBy("newman"),
    given: operationsOnly,
    command: `${collection} --env-var url=$TEST_URL/api/v3`,
  },
  {
    name: "Dredd",
    install: npm,
    version: versionBy("dredd"),
    given: whole,
    command: `${download}; dredd openapi.json $TEST_URL/api/v3 --header ${keyHeader} --reporter xunit --output $TEST_REPORT`,
  },
  {
    name: "Portman, Newman",
    install: npm,
    version: versionBy("portman"),
    given: operationsOnly,
    command:
      `${download}; portman --local openapi.json --baseUrl $TEST_URL/api/v3 --output tests.json; ` +
      "newman run tests.json --env-var apiKey=$TEST_KEY --reporters json --reporter-json-export $TEST_REPORT",
  },
]

/** Tools that do not run, and why. */
export const unsuited: readonly Skipped[] = [
  { name: "Hurl, Karate", reason: "they run tests that are written by hand, and make none from a description" },
  { name: "Step CI 2.8.2", reason: "its generate ends with a TypeError, from a file and from an address" },
  { name: "EvoMaster 6.2.0", reason: "its package downloads the program from GitHub, which no registry has" },
  { name: "APIFuzzer 0.9.13", reason: "it does not build" },
  { name: "Specmatic 2.55.1", reason: "a run had not ended after 400 s on a busy machine" },
  { name: "Tcases, openapi-fuzzer", reason: "not tried yet" },
]

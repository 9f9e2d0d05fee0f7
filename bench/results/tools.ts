import { join } from "node:path"
import { offat, runTool, schemathesis, testingTools } from "../../test/harness/foreign-tools.ts"
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
/** Without the stream of events, which does not end, for a tool that has no timeout. */
const downloadWithoutStream =
  `$NODE -e "fetch('$TEST_OPENAPI?version=3.0').then((r) => r.json()).then((d) => { delete d.paths['/events/stream']; ` +
  `console.log(JSON.stringify(d)) })" > openapi.json`
const keyHeader = '"api_key: $TEST_KEY"'
const collection = "newman run $FOLDER/postman.json --reporters json --reporter-json-export $TEST_REPORT"

/** Tests are generated once for all runs, because no defect changes the description. */
const portmanTests = `[ -f $FOLDER/portman.json ] || { ${download}; portman --local openapi.json --output $FOLDER/portman.json; }`

/** The key of a reader, and what it may not use, as OFFAT's documentation configures it. The customer's token has the limit of a plan. */
const offatActors =
  `echo '{"actors":[{"actor1":{"request_headers":[{"name":"api_key","value":"'$TEST_READER_KEY'"}],` +
  `"unauthorized_endpoints":["/store/.*","/user/.*"]}},{"actor2":{}}]}' > actors.yaml`

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
      `schemathesis run $TEST_OPENAPI --header ${keyHeader} --exclude-path /events/stream --max-examples 50 --seed 1 ` +
      "--report junit --report-junit-path all.xml; $NODE $REPORTS/schemathesis.ts all.xml > $TEST_REPORT",
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
    command:
      `${downloadWithoutStream}; dredd openapi.json $TEST_URL/api/v3 --header ${keyHeader} ` +
      "--reporter xunit --output $TEST_REPORT",
  },
  {
    name: "Redocly Respect",
    install: async () => join(root, "node_modules", ".bin"),
    version: versionBy("redocly"),
    given: whole,
    command:
      `${download}; curl --silent $TEST_URL/api/v3/arazzo.json > arazzo.json; ` +
      "redocly generate-arazzo openapi.json --output-file all.yaml; sed -i -E '/schemeName: (session|oauth2)/,+2d' all.yaml; " +
      "redocly respect all.yaml arazzo.json --input api_key=$TEST_KEY --skip receiveEvent --skip get-events-stream-workflow " +
      "--json-output log.json; " +
      "$NODE $REPORTS/respect.ts log.json > $TEST_REPORT",
  },
  {
    name: "OFFAT",
    install: async () => join(requirePath(await offat()), "bin"),
    version: versionBy("offat"),
    given: { operations: "all", means: ["reader key"] },
    command:
      `${download}; ${offatActors}; PYTHONHASHSEED=1 python -c "import random; random.seed(1); ` +
      'from offat.__main__ import start; start()" --file openapi.json --test-data-config actors.yaml --rate-limit 500 ' +
      "--output results.json --format json; $NODE $REPORTS/offat.ts results.json openapi.json > $TEST_REPORT",
  },
  {
    name: "Portman, Newman",
    install: npm,
    version: versionBy("portman"),
    given: whole,
    command:
      `${portmanTests}; newman run $FOLDER/portman.json --env-var baseUrl=$TEST_URL/api/v3 --env-var apiKey=$TEST_KEY ` +
      "--timeout-request 5000 --reporters json --reporter-json-export $TEST_REPORT",
  },
]

/** What was not measured, and why. */
export const unsuited: readonly Skipped[] = [
  { name: "Hurl, Karate", reason: "they run tests that are written by hand, and make none from a description" },
  { name: "Step CI 2.8.2", reason: "its generate ends with a TypeError, from a file and from an address" },
  { name: "EvoMaster 6.2.0", reason: "its package downloads the program from GitHub, which no registry has" },
  { name: "APIFuzzer 0.9.13", reason: "it needs a pycurl of 2020, which does not build" },
  { name: "CATS, VulnAPI", reason: "no registry here has them" },
  { name: "Specmatic 2.55.1", reason: "a run had not ended after 400 s on a busy machine" },
  {
    name: "Tcases 4.1.1",
    reason: "its generator stops at the maximum of a 32-bit integer, and without that at the pattern of a name",
  },
  { name: "openapi-fuzzer", reason: "it had not been compiled after 40 minutes" },
  { name: "pytest-openapi 0.3.1", reason: "it sends no credentials" },
]

// A report of Schemathesis without the valid requests of its stateful phase that were rejected, because these depend on what earlier ones
// did: node schemathesis.ts REPORT
import { readFileSync } from "node:fs"

const report = readFileSync(process.argv[2] ?? "", "utf8")
const stateful = /<testcase name="Stateful tests".*?<\/testcase>/gs
const rejectedAlone = /<failure [^>]*message="ST202">.*?<\/failure>/gs
const rejected = /^- ST202 .*\n/gm

process.stdout.write(report.replace(stateful, (phase) => phase.replace(rejectedAlone, "").replace(rejected, "")))

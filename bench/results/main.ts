// Examines clients, tools and pet stores, and writes docs/results. Run: npm run results, or npm run results exam.
// A pet store that runs already is examined too: npm run results conform "NAME VERSION=http://127.0.0.1:8081/api/v3".
import { mkdirSync } from "node:fs"
import { spawnPetstore } from "../../test/harness/spawn.ts"
import { measureConform } from "./conform.ts"
import { measureDefects } from "./defects.ts"
import { measureExam } from "./exam.ts"
import { writePage } from "./page.ts"
import { published } from "./published.ts"
import type { Service } from "./services.ts"

const parts = { exam: measureExam, conform: measureConform, defects: measureDefects }
const [named, more]: [string[], Service[]] = [[], []]
for (const argument of process.argv.slice(2)) {
  const [, name, version, url] = /^(.+) (\S+)=(https?:.+)$/.exec(argument) ?? []
  if (name !== undefined) more.push({ name, version: version as string, url: url as string })
  else if (Object.hasOwn(parts, argument)) named.push(argument)
  else {
    process.stderr.write(`${argument} is none of ${Object.keys(parts).join(", ")}\n`)
    process.exit(2)
  }
}

mkdirSync(published, { recursive: true })
await using petstore = await spawnPetstore()
for (const [name, measure] of Object.entries(parts))
  if (named.length === 0 || named.includes(name)) await measure(petstore.url, more)
writePage()

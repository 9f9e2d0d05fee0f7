// Examines clients, tools and pet stores, and writes docs/results. Run: npm run results, or npm run results exam.
// One tool is measured again by its name: npm run results Newman.
// One cell of the clients is repeated: npm run results cell ky leaves-a-long-wait documented.
// A pet store that runs already is examined too: npm run results conform "NAME VERSION=http://127.0.0.1:8081/api/v3".
import { mkdirSync } from "node:fs"
import { spawnPetstore } from "../../test/harness/spawn.ts"
import { measureConform } from "./conform.ts"
import { measureDefects } from "./defects.ts"
import { measureExam, repeatCell } from "./exam.ts"
import { writePage } from "./page.ts"
import { published } from "./published.ts"
import type { Service } from "./services.ts"
import { tools } from "./tools.ts"

const names = ["exam", "conform", "defects"]
const toolNames = tools.map(({ name }) => name)
const [named, more, chosen]: [string[], Service[], string[]] = [[], [], []]
if (process.argv[2] === "cell") process.exit(await repeat(process.argv.slice(3)))
for (const argument of process.argv.slice(2)) {
  const [, name = "", version = "", url] = /^(.+) (\S+)=(https?:.+)$/.exec(argument) ?? []
  if (url !== undefined) more.push({ name, version, url })
  else if (toolNames.includes(argument)) chosen.push(argument)
  else if (names.includes(argument)) named.push(argument)
  else {
    process.stderr.write(`${argument} is none of ${[...names, ...toolNames].join(", ")}\n`)
    process.exit(2)
  }
}
const isWanted = (name: string) => named.includes(name) || (named.length === 0 && chosen.length === 0)

mkdirSync(published, { recursive: true })
await using petstore = await spawnPetstore()
if (isWanted("exam")) await measureExam(petstore.url)
if (isWanted("conform")) await measureConform(petstore.url, more)
if (isWanted("defects") || chosen.length > 0) await measureDefects(petstore.url, chosen)
writePage()

/** Resolves with the exit code, when the service has ended. */
async function repeat(cell: readonly string[]): Promise<number> {
  await using petstore = await spawnPetstore()
  return await repeatCell(petstore.url, cell)
}

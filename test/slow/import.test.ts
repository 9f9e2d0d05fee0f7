import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { allPages } from "../../src/client/pages.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startGate } from "../harness/gate.ts"
import { inherited, spawnPetstore } from "../harness/spawn.ts"
import { use } from "../harness/use.ts"

const root = join(import.meta.dirname, "..", "..")
const count = 2000
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const petstore = use(spawnPetstore)

/** Two thousand pets as a shelter would list them; every tenth line duplicates its neighbour. */
function shelterFile(shelter: string): string {
  const lines = Array.from({ length: count }, (_, n) => {
    const twin = n % 10 === 1 ? n - 1 : n
    const kind = ["Dog", "Cat", "Bird", "Other"][twin % 4]
    return JSON.stringify({
      name: `${shelter} ${twin}`,
      category: { name: kind },
      photoUrls: [`https://animals.example/${shelter}/${twin}.jpg`],
      tags: [{ name: `${kind} Mix` }, { name: `${twin % 15} years` }, { name: `${kind} Mix` }],
      status: ["available", "pending", "sold"][twin % 3],
    })
  })
  const file = join(directory.path, `${shelter}.ndjson`)
  writeFileSync(file, `${lines.join("\n")}\n`)
  return file
}

/** The file that an import writes for a shelter. */
function importFile(shelter: string, kind: "state" | "refused"): string {
  const imports = join(directory.path, "petstore", "imports")
  const name = readdirSync(imports).find((each) => each.startsWith(`${shelter}.`) && each.endsWith(`.${kind}.ndjson`))
  return join(imports, name ?? "none")
}

function importer(
  url: string,
  file: string,
): { child: ChildProcess; ended: Promise<{ code: number | null; text: string }> } {
  const child = spawn(process.execPath, [join(root, "src", "cli", "main.ts"), "--url", url, "import", file], {
    env: { ...inherited, XDG_STATE_HOME: directory.path },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part
    })
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, text })) }
}

/** Asserts that the stored pets of a shelter equal those in its file. */
async function assertImported(shelter: string, file: string): Promise<void> {
  const call = petstore.as("special-key").findPetsByStatus
  const pages = await Array.fromAsync(
    allPages(call, { query: { status: ["available", "pending", "sold"], limit: 1000 } }),
  )
  const stored = pages.flat().filter(({ name }) => name.startsWith(`${shelter} `))
  const listed = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  assert.deepEqual(stored.map(plain).sort(), listed.map(plain).sort())
}

type Plain = {
  name: string
  category?: { name: string }
  photoUrls: string[]
  tags: { name: string }[]
  status: string
}
const plain = ({ name, category, photoUrls, tags, status }: Plain): string =>
  JSON.stringify([name, category?.name, photoUrls, [...new Set(tags.map((tag) => tag.name))], status])

test("an importer killed between a response and its record continues without losing or duplicating a pet", async () => {
  const file = shelterFile("killed")
  let victim: ChildProcess | undefined
  await using gate = await startGate(
    () => petstore.url,
    (responses) => {
      if (responses >= 4) victim?.kill("SIGKILL")
    },
  )
  const first = importer(gate.url, file)
  victim = first.child
  assert.equal((await first.ended).code, null)
  victim = undefined
  const recorded = readFileSync(importFile("killed", "state"), "utf8")
  const [batches, results] = [/"pets":/g, /"ids":/g].map((entry) => recorded.match(entry)?.length ?? 0)
  assert.ok(batches && results && batches > results && results < 8, recorded.slice(-500))

  const { code, text } = await importer(gate.url, file).ended
  assert.equal(code, 0, text)
  assert.match(text, /2,000 lines: [\d,]+ imported, [\d,]+ already imported, 0 refused/)
  await assertImported("killed", file)
})

test("an import continues automatically after the service is killed and restarted", async () => {
  const file = shelterFile("revived")
  let isKilled = false
  await using gate = await startGate(
    () => petstore.url,
    async (responses) => {
      if (responses !== 4 || isKilled) return
      isKilled = true
      await petstore.kill("SIGKILL")
      void petstore.restart()
      throw new Error("the connection went with the service")
    },
  )
  const { code, text } = await importer(gate.url, file).ended
  assert.equal(code, 0, text)
  await assertImported("revived", file)
  assert.equal(existsSync(importFile("revived", "refused")), false)
})

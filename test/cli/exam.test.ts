import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { Interrupted } from "../../src/cli/command/command.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

/** An adapter that reads pets with `fetch`, and does something else for each name. */
const adapter = `
const say = (said) => console.log(JSON.stringify(said))
for await (const text of require("node:readline").createInterface(process.stdin)) {
  const { do: action, url, key, input } = JSON.parse(text)
  if (action === "addPet") process.exit(console.error("out of order") ?? 3)
  else if (action === "listPets") console.log("no <JSON>")
  else if (action === "renamePet") say({})
  else if (action === "readPet") {
    const response = await fetch(url + "/pet/" + input.id, { headers: { api_key: key } })
    say(response.ok ? { result: await response.json() } : { error: String(response.status) })
  } else say({ unclaimed: "reads only" })
}`
const command = [process.execPath, "-e", `(async () => {${adapter}})()`]
const run = (...args: string[]) => petstoreCommand(petstore.url, ["exam", ...args, "--", ...command])

test("an adapter of the examples has a page", () => {
  const examples = join(import.meta.dirname, "..", "..", "examples")
  const adapters = globSync("{exam,agents}/{*.mjs,*.py,*.sh,go/*.go,java/*.java}", { cwd: examples })
  assert.ok(adapters.length >= 20)
  for (const file of adapters) {
    const lines = readFileSync(join(examples, file), "utf8").trimEnd().split("\n").length
    assert.ok(lines <= 60, `${file} has ${lines} lines`)
  }
})

describe("petstore exam", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("says of each task what was observed, also as JUnit, and removes its sandboxes (slow)", async () => {
    using directory = temporaryDirectory()
    const junit = join(directory.path, "exam.xml")
    const only =
      "leaves-404,repeats-after-503,leaves-a-refused-creation,follows-link-to-the-end,sends-if-match,keeps-its-token"
    const { code, out, err } = await run("--only", only, "--junit", junit)
    assert.equal(code, 1, err)
    assert.match(out, /^ {2}passed {2}leaves-404$/m)
    assert.match(
      out,
      /missed {2}repeats-after-503\n.*\n *Observed: the client reported an error: 503\n *\+0 ms GET \/api\/v3\/pet\/1 503/,
    )
    assert.match(out, /Observed: the adapter ended with exit code 3: out of order/)
    assert.match(out, /Observed: the adapter wrote a line without result, error or unclaimed: no <JSON>/)
    assert.match(out, /Observed: the adapter wrote a line without result, error or unclaimed: {}/)
    assert.match(out, /^ {2}not claimed {2}keeps-its-token$/m)
    assert.match(out, /\n1 of 2 passed, 1 not claimed, 3 not measured\n/)
    const xml = readFileSync(junit, "utf8")
    assert.match(xml, /<testcase classname="Repetition" name="leaves-404">.*<\/testcase>/)
    assert.match(
      xml,
      /<error message="the adapter wrote a line without result, error or unclaimed: no &lt;JSON&gt;"\/>/,
    )
    assert.match(xml, /<skipped message="reads only"\/>/)
    const left = await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })
    assert.deepEqual(await left.json(), [])
  })

  test("an unknown task is refused with the nearest; a chapter is all its tasks (slow)", async () => {
    const unknown = await run("--only", "leaves-40")
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /"leaves-40" is neither a task nor a chapter; did you mean leaves-404\?/)
    const chapter = await run("--only", "Tokens", "--json")
    const outcomes = JSON.parse(chapter.out).map(({ outcome }: { outcome: string }) => outcome)
    assert.ok(outcomes.length > 1)
    assert.deepEqual([...new Set(outcomes)], ["unclaimed"])
    assert.equal(chapter.code, 0)
  })

  const sandboxes = async (): Promise<{ requests: number }[]> => {
    const response = await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })
    return response.json() as Promise<{ requests: number }[]>
  }

  /** Sends requests without an end, and says nothing. */
  const restless = `
const send = (url, key) => setInterval(() => fetch(url, { headers: { api_key: key } }).catch(() => {}), 5)
const { MCP_URL: url, MCP_KEY: key } = process.env
if (url) send(url, key)
else process.stdin.on("data", (line) => {
  const { url, key } = JSON.parse(line)
  if (key) send(url + "/pet/1", key)
  else console.log("{}")
})`
  for (const flags of [[], ["--agent"]])
    test(`after an interruption the sandboxes are deleted, and nothing sent makes them again: exam ${flags.join()}`, async () => {
      const ending = new AbortController()
      const argv = ["exam", ...flags, "--", process.execPath, "-e", restless]
      const running = petstoreCommand(petstore.url, argv, { interrupted: ending.signal })
      await until(async () => (await sandboxes()).some(({ requests }) => requests > 50), "the client sends nothing")
      ending.abort(new Interrupted("SIGTERM"))
      const { code, err } = await running
      assert.equal(code, 143, err)
      for (let n = 0; n < 20; n++) assert.deepEqual(await sandboxes(), [])
    })

  test("a program that does not exist is an error, and no command is a wrong use", async () => {
    const absent = await petstoreCommand(petstore.url, ["exam", "--only", "leaves-404", "--", "no-such-program"])
    assert.equal(absent.code, 1)
    assert.match(absent.err, /no-such-program/)
    assert.match((await petstoreCommand(petstore.url, ["exam"])).err, /the command is missing/)
    const times = (...flags: string[]) => petstoreCommand(petstore.url, ["exam", ...flags, "--", "true"])
    assert.match((await times("--times", "2")).err, /--times needs --agent/)
    assert.match((await times("--agent", "--times", "0")).err, /--times must be a whole number from 1 to 100/)
  })
})

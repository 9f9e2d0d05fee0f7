import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { commands } from "../../src/commands.ts"
import { machineWith, petstoreCommand, type Ran } from "../harness/command-line.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const petstoreRun = (...argv: string[]): Promise<Ran> => petstoreCommand(petstore.url, argv)
const addPet = async (name: string): Promise<number> =>
  JSON.parse((await petstoreRun("pets", "create", "--name", name, "--photo-urls", "a.jpg", "--json")).out).id

test("every command has a unique name and unique flags", () => {
  const names = commands.map(({ name }) => name)
  assert.deepEqual(names, [...new Set(names)])
  for (const { name, flags } of commands) {
    const given = flags.map((flag) => flag.name)
    assert.deepEqual(given, [...new Set(given)], name)
    assert.ok(!given.some((flag) => ["help", "json", "api-key"].includes(flag)), `${name} hides a global flag`)
  }
})

test("a pet is created from flags, and printed as a record or as the exact JSON", async () => {
  const id = await addPet("Rex")
  const { code, out } = await petstoreRun("pets", "get", String(id))
  assert.equal(code, 0)
  assert.match(out, /^id +\d+\nname +Rex\nphotoUrls +a\.jpg\n/)

  const response = await fetch(`${petstore.url}/api/v3/pet/${id}`, { headers: { api_key: "special-key" } })
  assert.equal((await petstoreRun("pets", "get", String(id), "--json")).out, `${await response.text()}\n`)
})

test("a body is read from its flag or standard input, and flags override its fields", async () => {
  const body = JSON.stringify({
    name: "A",
    photoUrls: [],
    category: { name: "Dogs" },
    tags: [{ name: "x" }, { name: "y" }],
  })
  const typed = await petstoreRun("pets", "create", "--body", body, "--name", "B", "--status", "sold")
  assert.match(typed.out, /category +Dogs\nname +B\nphotoUrls +none\ntags +x, y\nstatus +sold\n/)
  const piped = await petstoreCommand(petstore.url, ["pets", "create", "--body", "-"], { stdin: body })
  assert.match(piped.out, /name +A\n/)
})

test("--all fetches all pages and prints one JSON value per line", async () => {
  const { out } = await petstoreRun(
    "pets",
    "by-status",
    "--status",
    "available,pending,sold",
    "--limit",
    "3",
    "--all",
    "--json",
  )
  const ids = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id)
  assert.ok(ids.length >= 10)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => b - a),
  )
  const page = await petstoreRun("pets", "by-status", "--limit", "2")
  assert.equal(page.out.split("\n").length, 4)
  assert.match(page.err, /--cursor \w+/)
})

test("flags for headers set the headers", async () => {
  const id = String(await addPet("Cond"))
  const etag = /ETag +(".*")/.exec((await petstoreRun("pets", "get", id)).out)?.[1] as string
  assert.match((await petstoreRun("pets", "get", id, "--if-none-match", etag)).err, /Not modified/)
  const stale = await petstoreRun("pets", "patch", id, "--name", "New", "--if-match", '"other"')
  assert.equal(stale.code, 1)
  assert.match(stale.err, /precondition-failed \(412\)/)

  const create = () =>
    petstoreRun("pets", "create", "--name", "Once", "--photo-urls", "", "--idempotency-key", "k1", "--json")
  assert.equal((await create()).out, (await create()).out)
})

test("a problem is printed with all violations, code and requestId, and the exit code is 1", async () => {
  const args = ["pets", "create", "--name", " ", "--photo-urls", "javascript:1"]
  const { code, out, err } = await petstoreRun(...args)
  assert.deepEqual({ code, out }, { code: 1, out: "" })
  for (const expected of [
    /\/name must not be blank/,
    /\/photoUrls\/0 must be an http/,
    /invalid-body \(422\)/,
    /requestId +\S{8}/,
  ])
    assert.match(err, expected)
  assert.equal(err.split("must not be blank").length, 2, err)
  assert.equal(JSON.parse((await petstoreRun(...args, "--json")).err).errors.length, 2)
})

test("an invalid command line exits with 2 and suggests the nearest valid word", async () => {
  const cases: [string[], RegExp][] = [
    [["pets", "gett", "1"], /did you mean: \.\/petstore pets get\n/],
    [["pest"], /did you mean: \.\/petstore pets\n/],
    [["pets", "get"], /<pet-id> is missing/],
    [["pets", "get", "1", "2"], /unexpected argument "2"/],
    [["pets", "get", ".."], /cannot be "\.\."/],
    [["pets", "get", "1", "--jsn"], /unknown flag --jsn; did you mean --json\?/],
    [["pets", "get", "1", "-x"], /unknown flag -x; --help lists all flags\n/],
    [["pets", "foo"], /unknown command "pets foo"; \.\/petstore pets --help lists its verbs\n/],
    [["get", "1"], /unknown command "get 1"; \.\/petstore --help lists all commands\n/],
    [["store", "inventory"], /did you mean: \.\/petstore inventory\n/],
    [["store", "move"], /did you mean: \.\/petstore orders move\n/],
    [["store"], /unknown command "store"; \.\/petstore --help lists all commands\n/],
    [["pest", "get"], /did you mean: \.\/petstore pets\n/],
    [["frobnicate"], /unknown command "frobnicate"; \.\/petstore --help lists all commands\n/],
    [["pets", "by-status", "--limit", "many"], /--limit must be an integer/],
    [["pets", "by-status", "--limit", "1", "--limit", "2"], /--limit is given more than once/],
    [
      ["pets", "create"],
      /is missing name and photoUrls; set --name and --photo-urls \(repeated for several, "" for none\)/,
    ],
    [["pets", "create", "--name", "X"], /is missing photoUrls; set --photo-urls \(/],
    [["pets", "get", "1", "--sandbox", ".."], /--sandbox is "\.\."; a name must have 1 to 64/],
    [["import", "/nowhere.csv"], /the file cannot be read: \/nowhere\.csv does not exist\n/],
    [["import", "/"], /the file cannot be read: \/ is a directory\n/],
    [["export", "--out", "/nowhere/pets.csv"], /--out cannot be written: \/nowhere does not exist\n/],
    [["pets", "create", "--body", "{"], /--body is not valid JSON/],
    [["pets", "create", "--body", "@/nowhere"], /--body cannot be read/],
    [["--url", "ftp://x", "pets", "get", "1"], /not a valid service address/],
    [["--api-key", "two words", "pets", "get", "1"], /contains an invalid character/],
  ]
  for (const [argv, expected] of cases) {
    const { code, err } = await petstoreRun(...argv)
    assert.equal(code, 2, argv.join(" "))
    assert.match(err, expected)
  }
})

test("help and version are printed by all their flags and words", async () => {
  for (const flag of ["--version", "-v"])
    for (const words of [[], ["pets"], ["pets", "get"], ["serve"], ["import"]]) {
      assert.equal((await petstoreRun(...words, flag)).out, "petstore 0.0.0\n")
      assert.equal((await petstoreRun(flag, ...words)).out, "petstore 0.0.0\n")
    }
  assert.match((await petstoreRun()).out, /Usage: petstore COMMAND/)
  assert.match((await petstoreRun("pets")).out, /create +Add a pet to the store/)
  assert.match((await petstoreRun("pets", "create", "--help")).out, /--photo-urls URL/)
  assert.equal((await petstoreRun("help", "pets", "get")).out, (await petstoreRun("pets", "get", "-h")).out)
})

test("an unreachable service, a foreign service and a refusal are reported differently", async () => {
  const unreachable = await petstoreCommand("http://127.0.0.1:9", ["pets", "get", "1"], {
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })),
  })
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.err, /\.\/petstore serve/)
  const other = await petstoreCommand(`${petstore.url}/docs/`, ["pets", "get", "1"])
  assert.equal(other.code, 1, other.err)
  assert.match(other.err, /not-found \(404\)/)
  const wrong = await petstoreRun("--api-key", "unknown-key", "pets", "get", "1")
  assert.match(wrong.err, /unauthorized \(401\)/)
})

test("a pet's name cannot control the terminal", async () => {
  const id = await addPet("\u001b[2J\u202eevil")
  assert.match((await petstoreRun("pets", "get", String(id))).out, /name +\\u001b\[2J\\u202eevil\n/)
})

test("a user logs in, is identified by the token, and logs out", async () => {
  const { out: token } = await petstoreRun("users", "login", "--username", "user1", "--password", "password1")
  const asPerson = (...argv: string[]) => petstoreRun("--token", token.trim(), ...argv)
  assert.match((await asPerson("users", "get", "user1")).out, /username +user1/)
  await asPerson("users", "logout")
  assert.match((await asPerson("users", "get", "user1")).err, /unauthorized \(401\)/)
})

test("the doctor reports no problems for a working service, and gives advice for each problem", async () => {
  const well = await petstoreCommand(petstore.url, ["doctor"], {
    ...machineWith({ PETSTORE_DATA_DIR: `${import.meta.dirname}/not` }),
  })
  assert.deepEqual({ code: well.code, err: well.err }, { code: 0, err: "" }, well.out)
  for (const about of ["runtime", "service", "clock", "key", "scopes", "plan", "data"])
    assert.match(well.out, new RegExp(`^ok +${about}: `, "m"))

  const wrongKey = await petstoreRun("doctor", "--api-key", "unknown-key")
  assert.equal(wrongKey.code, 1)
  assert.match(wrongKey.out, /problem +key: --api-key: The API key is unknown[^\n]*\n +→ Set PETSTORE_API_KEY/)
  const settings = await petstoreCommand(petstore.url, ["doctor"], {
    ...machineWith({ PETSTORE_PORT: "x" }),
  })
  assert.match(settings.out, /problem +data: PETSTORE_PORT is "x"/)
  const absent = await petstoreRun("--url", "http://127.0.0.1:9", "doctor")
  assert.match(absent.out, /problem +service: [^\n]*\n +→ Start it/)
})

test("--sandbox names the sandbox of any command, instead of one in the address", async () => {
  const created = await petstoreRun(
    "pets",
    "create",
    "--name",
    "Ada",
    "--photo-urls",
    "",
    "--sandbox",
    "flags",
    "--json",
  )
  const { id } = JSON.parse(created.out)
  const get = (url: string, ...flags: string[]) => petstoreCommand(url, [...flags, "pets", "get", String(id)])
  assert.match((await get(`${petstore.url}/s/flags`)).out, /name +Ada/)
  assert.match((await get(`${petstore.url}/s/another/`, "--sandbox", "flags")).out, /name +Ada/)
  assert.doesNotMatch((await petstoreRun("pets", "list", "--name", "Ada")).out, /Ada/)
  const own = await petstoreRun("sandbox", "advance", "--advance", "P1D")
  assert.match(own.err, /named-sandbox-required \(409\)[\s\S]*On the command line: \.\/petstore --sandbox NAME …\n/)
  assert.equal((await petstoreRun("sandbox", "advance", "--advance", "P1D", "--sandbox", "flags")).code, 0)
})

test("the use of limits is printed in words, and none where the plan has no limits", async () => {
  assert.match((await petstoreRun("account", "get")).out, /^limits +none$/m)
  const free = await petstoreRun("--api-key", "free-key", "account", "get")
  assert.match(free.out, /^limits +\d+ of 60 left this minute, \d+ of 1000 left this day$/m)
})

test("a reset prints one line", async () => {
  const { out } = await petstoreRun("--sandbox", "flags", "reset", "--seed", "empty")
  assert.equal(out, "The sandbox has been reset: empty\n")
})

test("an image is uploaded from a file or standard input (slow)", async () => {
  const image = join(import.meta.dirname, "../../src/parts/sandbox/seeds/images/dog-1-320.webp")
  const flags = ["--additional-metadata", "on the sofa"]
  const sent = await petstoreRun("pets", "upload-image", "2", "--file", image, ...flags, "--json")
  assert.equal(sent.code, 0, sent.err)
  const { message } = JSON.parse(sent.out)
  const [url] = /http:\S+$/.exec(message) ?? assert.fail(message)
  assert.equal((await fetch(url)).headers.get("content-type"), "image/webp")

  const missing = await petstoreRun("pets", "upload-image", "2")
  assert.match(missing.err, /--file is missing/)
})

test("pets are listed with the service's filters and orders, including an order with a leading dash", async () => {
  for (const name of ["Zorro", "Zora"]) await addPet(name)
  const names = async (...argv: string[]) => {
    const { out } = await petstoreRun("pets", "list", "--name", "zor", ...argv, "--all", "--limit", "1", "--json")
    return out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).name)
  }
  assert.deepEqual(await names(), ["Zora", "Zorro"])
  assert.deepEqual(await names("--sort", "-name"), ["Zorro", "Zora"])
  assert.deepEqual(await names("--sort=-name", "--status", "available"), ["Zorro", "Zora"])
  const { code, err } = await petstoreRun("pets", "list", "--sort", "-size")
  assert.equal(code, 2)
  assert.match(err, /--sort/)
  assert.match((await petstoreRun("pets", "list", "--name", "a", "--tag", "b")).err, /cannot be combined with tag/)
})

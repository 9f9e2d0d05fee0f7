import assert from "node:assert/strict"
import { test } from "node:test"
import type { AdminRequest, AdminResponse, Backup, Maintenance } from "../../src/domain/admin/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"

const url = "http://127.0.0.1:8080"
const unused = (): Promise<never> => Promise.reject(new Error("not part of this test"))

/** Runs a command with maintenance work that ends as given; resolves with its code and output, and the arguments of the work. */
async function run(argv: string[], work: Partial<Record<keyof Maintenance, unknown>>) {
  const given: unknown[][] = []
  const ending =
    <T>(result: unknown) =>
    (...args: unknown[]): Promise<T> => {
      given.push(args.filter((arg) => typeof arg !== "function"))
      return Promise.resolve(result as T)
    }
  const maintenance: Maintenance = {
    migrate: unused,
    backUp: unused,
    verify: unused,
    restore: unused,
    copy: unused,
    ...Object.fromEntries(Object.entries(work).map(([name, result]) => [name, ending(result)])),
  }
  const ran = await petstoreCommand(url, argv, { maintenance: async () => maintenance })
  return { ...ran, given: given[0] }
}

const whole: Backup = {
  createdAt: "2026-01-01T00:00:00Z",
  files: { count: 4 },
  database: { kind: "sqlite", rows: { pets: 1200, orders: 1, users: 2, images: 3, others: 9 } },
  sealingKey: "stored",
}
const contents = "1,200 pets, 1 order, 2 users and 3 images, as of 2026-01-01T00:00:00Z, in 4 files"
const keyNote = "It contains the key to the secrets in the database: protect it like the data directory."
const missing = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ sha256: `s${n}`, key: `k${n}`, reason: n === 1 ? "damaged" : "missing" }))
const damaged = [
  { kind: "pets", ids: [1, 2], count: 2 },
  { kind: "audit", ids: [7], count: 30 },
  { kind: "images", ids: ["k1"], count: 1 },
]
const damage = `damaged  pets that do not match their hashes (2): 1 2
damaged  entries of the audit log that do not match their hashes (30): 7
damaged  images that do not match their hashes (1): k1
`

test("a backup is described with its contents and its key, and the exit code is 3 when it lacks something", async () => {
  const backUp = (made: object, ...flags: string[]) => run(["backup", "/target", ...flags], { backUp: made })
  assert.deepEqual(await backUp(whole), {
    code: 0,
    out: `/target: ${contents}\n${keyNote}\n`,
    err: "",
    given: ["/target"],
  })
  const sealed = await backUp({ ...whole, sealingKey: "not stored", database: { kind: "sqlite", rows: {} } })
  assert.equal(
    sealed.out,
    `/target: 0 pets, 0 orders, 0 users and 0 images, as of 2026-01-01T00:00:00Z, in 4 files
It does not contain the key to the secrets in the database: keep PETSTORE_SECRET_KEY, too.
`,
  )
  const postgres = await backUp({ ...whole, files: { count: 1 }, database: { kind: "postgres" } })
  assert.match(
    postgres.out,
    /^\/target: images and key without the database, which PostgreSQL's own tools back up, as of \S+, in 1 file\n/,
  )
  const one = await backUp({ ...whole, missing: missing(1) })
  assert.deepEqual(
    [one.code, one.out.split("\n").slice(2)],
    [3, ["The backup lacks the files of an image of pets:", "missing  image s0, key k0", ""]],
  )
  const many = await backUp({ ...whole, missing: missing(1022), damaged })
  assert.equal(many.code, 3)
  const [head, first, second, ...rest] = many.out.split("\n").slice(2)
  assert.deepEqual(
    [head, first, second],
    ["The backup lacks the files of 1,022 images of pets:", "missing  image s0, key k0", "damaged  image s1, key k1"],
  )
  assert.deepEqual(rest.slice(17), [
    "missing  image s19, key k19",
    "and 1,002 more, listed in manifest.json",
    ...damage.split("\n"),
  ])
  assert.doesNotMatch((await backUp({ ...whole, missing: missing(20) })).out, /more/)
  assert.match((await backUp({ ...whole, missing: missing(21) })).out, /s19, key k19\nand 1 more, listed in manifest/)
  const asJson = await backUp({ ...whole, damaged }, "--json")
  assert.deepEqual([asJson.code, JSON.parse(asJson.out)], [3, { ...whole, damaged }])
})

test("a verified backup is intact, as it was made, or has problems", async () => {
  const verify = async (found: object) => {
    const { code, out, given } = await run(["backup", "verify", "/source"], {
      verify: { ...whole, wrong: [], ...found },
    })
    assert.deepEqual(given, ["/source"])
    return [code, out]
  }
  assert.deepEqual(await verify({}), [0, `/source is intact: ${contents}\n`])
  assert.deepEqual(await verify({ damaged }), [3, `/source is as it was made: ${contents}\n${damage}`])
  assert.deepEqual(await verify({ wrong: ["a is missing", "b was changed"], damaged }), [
    1,
    "problem  a is missing\nproblem  b was changed\n",
  ])
})

test("a restored backup says which key the service needs", async () => {
  const restore = (found: object) => run(["restore", "/source"], { restore: { ...whole, ...found } })
  assert.deepEqual(await restore({}), { code: 0, out: `restored: ${contents}\n`, err: "", given: ["/source"] })
  const sealed = await restore({ sealingKey: "not stored", damaged })
  const needsKey = "Start the service with the PETSTORE_SECRET_KEY the backup was made with.\n"
  assert.deepEqual([sealed.code, sealed.out], [0, `restored: ${contents}\n${damage}${needsKey}`])
})

test("a copy has a source and a target, both with images or without", async () => {
  const copy = (flags: string[], copied: object = { rows: { pets: 1000, users: 234 } }) =>
    run(["copy", ...flags], { copy: copied })
  const databases = ["--from", "sqlite:a.db", "--to", "postgres://b"]
  assert.deepEqual(await copy(databases), {
    code: 0,
    out: "1,234 rows are identical in both\n",
    err: "",
    given: [
      { database: "sqlite:a.db", images: undefined },
      { database: "postgres://b", images: undefined },
    ],
  })
  const images = ["--from-images", "file:a", "--to-images", "s3://b"]
  const both = await copy([...databases, ...images], { rows: { pets: 2 }, images: 1 })
  assert.equal(both.out, "2 rows and 1 image are identical in both\n")
  assert.deepEqual(both.given, [
    { database: "sqlite:a.db", images: "file:a" },
    { database: "postgres://b", images: "s3://b" },
  ])
  for (const [flags, message] of [
    [databases.slice(0, 2), "--from and --to are required"],
    [databases.slice(2), "--from and --to are required"],
    [[...databases, ...images.slice(0, 2)], "--from-images and --to-images must be given together"],
    [[...databases, ...images.slice(2)], "--from-images and --to-images must be given together"],
  ] as const) {
    const { code, err, given } = await copy([...flags])
    assert.deepEqual({ code, err, given }, { code: 2, err: `petstore: ${message}\n`, given: undefined })
  }
})

test("a migration says which versions the schema had and has", async () => {
  const migrate = (to: number) => run(["migrate"], { migrate: { database: "a.db", from: 3, to } })
  assert.equal((await migrate(3)).out, "a.db already has schema version 3\n")
  assert.deepEqual(await migrate(5), {
    code: 0,
    out: "a.db was migrated from schema version 3 to 5\n",
    err: "",
    given: [],
  })
})

test("administration on this machine is requested, and its result is in words", async () => {
  const administer = async (argv: string[], response: AdminResponse) => {
    const requests: AdminRequest[] = []
    const ran = await petstoreCommand(url, argv, {
      administer: async (request) => {
        requests.push(request)
        return response
      },
    })
    return { ...ran, request: requests[0] }
  }
  const cases: [argv: string[], response: AdminResponse, request: AdminRequest, out: string, err?: string][] = [
    [
      ["admin", "create-key"],
      { id: "7", secret: "sk_1" },
      { action: "create-key", name: "operator" },
      "sk_1\n",
      "Key 7, shown only once. Revoke the key that was lost: ./petstore keys list, ./petstore keys revoke.\n",
    ],
    [
      ["admin", "create-key", "--name", "ci", "--json"],
      { id: "7", secret: "sk_1" },
      { action: "create-key", name: "ci" },
      '{"id":"7","secret":"sk_1"}\n',
    ],
    [
      ["admin", "confirm-clock"],
      { time: "2026-01-01T00:00:00Z" },
      { action: "confirm-clock" },
      "The time 2026-01-01T00:00:00Z is confirmed: retention continues within ten minutes.\n",
    ],
    [
      ["keys", "rotate-sealing"],
      { secrets: 3 },
      { action: "rotate-sealing" },
      "3 secrets were encrypted under a new key.\n",
    ],
    [
      ["keys", "rotate-signing"],
      { kid: "k2" },
      { action: "rotate-signing", forgetOld: false },
      "Tokens are now signed with the key k2.\n",
    ],
    [
      ["keys", "rotate-signing", "--forget-old"],
      { kid: "k2" },
      { action: "rotate-signing", forgetOld: true },
      "Tokens are now signed with the key k2.\n",
    ],
  ]
  for (const [argv, response, request, out, err = ""] of cases)
    assert.deepEqual(await administer(argv, response), { code: 0, out, err, request })
  const refused = await administer(["keys", "rotate-sealing"], { error: "The key is a setting" })
  assert.deepEqual([refused.code, refused.out, refused.err], [1, "", "The key is a setting\n"])
  const asJson = await administer(["keys", "rotate-sealing", "--json"], { error: "The key is a setting" })
  assert.deepEqual([asJson.code, asJson.out, asJson.err], [1, '{"error":"The key is a setting"}\n', ""])
})

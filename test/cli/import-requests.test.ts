import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Interrupted } from "../../src/cli/command/command.ts"
import { importBytesMax } from "../../src/core/domain/pets/contract.ts"
import { cannotListOpenFiles, countOpen } from "../harness/open-files.ts"
import { openImport } from "../harness/open-import.ts"

const pet = (name: string, more: object = {}) => ({ name, photoUrls: [], ...more })

const keyOf = (file: string, number: number, lines: readonly string[], way = ""): string => {
  const digestOf = (text: string) => hash("sha256", text, "base64url").slice(0, 22)
  return `import-${way}${digestOf(readFileSync(file, "utf8"))}-${number}-${digestOf(lines.map(digestOf).join())}`
}

test("pets are sent in batches of at most 100, two at a time, each with a key made from the file", async () => {
  using opened = openImport()
  const pets = Array.from({ length: 301 }, (_, n) => pet(`p${n}`))
  const file = opened.writePets(pets)
  const { code, out, err } = await opened.run([file])
  assert.deepEqual({ code, out, err }, { code: 0, out: "301 lines: 301 imported, 0 refused. 0.0 s\n", err: "" })
  const [account, ...batches] = opened.sent
  assert.equal(account?.path, "/account")
  assert.deepEqual(
    batches.map((batch) => [batch.path, batch.pets.length]),
    [100, 100, 100, 1].map((count) => ["/pets/import", count]),
  )
  assert.deepEqual(
    batches.flatMap((batch) => batch.pets),
    pets,
  )
  assert.equal(opened.runningMax(), 2)
  const lines = pets.map((each) => JSON.stringify(each))
  assert.deepEqual(
    batches.map(({ key }) => key),
    [0, 1, 2, 3].map((n) => keyOf(file, n, lines.slice(n * 100, n * 100 + 100))),
  )
})

test("the key says how the file is read, and new ids are those of the service", async () => {
  using opened = openImport()
  const file = opened.writePets([pet("p", { id: 7, kind: "Dogs" })])
  await opened.run([file, "--new-ids"])
  await opened.run([file, "--map", "kind=category", "--again", "--new-ids", "--state", join(opened.directory, "state")])
  const [first, second] = opened.sent.filter(({ path }) => path === "/pets/import")
  assert.deepEqual(
    [first?.pets, first?.key],
    [
      [{ ...pet("p"), id: 0, kind: "Dogs" }],
      keyOf(file, 0, [JSON.stringify(pet("p", { id: 7, kind: "Dogs" }))], "new-ids-"),
    ],
  )
  const reading = hash("sha256", "--map kind=category", "base64url").slice(0, 22)
  assert.match(second?.key ?? "", new RegExp(`^import-new-ids-${reading}-[0-9a-f-]{36}-0-[\\w-]{22}$`))
})

test("a request takes as many bytes as the service accepts, less a reserve, and no more", async () => {
  using opened = openImport()
  const photo = `https://a.example/${"x".repeat(1900)}`
  const sized = (bytes: number) => {
    const least = pet("p", { photoUrls: [photo, photo.slice(0, 100)] })
    const missing = bytes - Buffer.byteLength(JSON.stringify(least)) - 1
    return pet("p", { photoUrls: [photo, photo.slice(0, 100) + "x".repeat(missing)] })
  }
  const fitting = Array.from({ length: 96 }, () => sized((importBytesMax - 1024) / 96))
  await opened.run([opened.writePets(fitting)])
  await opened.run([
    opened.writePets([...fitting.slice(1), sized((importBytesMax - 1024) / 96 + 1), pet("small")]),
    "--again",
  ])
  const batches = opened.sent.filter(({ path }) => path === "/pets/import")
  assert.deepEqual(
    batches.map((batch) => batch.pets.length),
    [96, 95, 2],
  )
  assert.equal(batches[0]?.bytes, importBytesMax - 1023)
})

test("lines that the service refuses are reported with the request, and those beyond the plan are sent again", async () => {
  using opened = openImport({ tookMs: 500 })
  const problem = { code: "pet-exists", detail: "There is a pet 2" }
  opened.respond((pets) =>
    pets.map(({ name }, n) =>
      name === "taken"
        ? { problem }
        : n > 1
          ? { problem: { code: "quota-exceeded", detail: "Too many" } }
          : { id: n + 1 },
    ),
  )
  const file = opened.write(
    [pet("a"), pet("taken"), pet("b"), pet("c"), "", pet(" ")]
      .map((each) => `${each === "" ? "" : JSON.stringify(each)}\n`)
      .join(""),
  )
  const { code, out, err } = await opened.run([file])
  const report = join(
    opened.directory,
    "imports",
    readdirSync(join(opened.directory, "imports")).find((name) => name.endsWith("refused.ndjson")) ?? "",
  )
  assert.equal(out, "6 lines: 3 imported, 2 refused, 1 blank. 1.0 s, 3 pets/s\n")
  assert.equal(
    err,
    `line 6: name must not be blank or contain NUL (invalid-body)
line 2: There is a pet 2 (pet-exists)
Refused lines are listed in ${report}
`,
  )
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(readFileSync(report, "utf8").split("\n")[1] ?? ""), {
    line: 2,
    ...problem,
    requestId: "r-1",
    text: JSON.stringify(pet("taken")),
  })
  const [, first, second] = opened.sent
  assert.deepEqual(second?.pets, [pet("b"), pet("c")])
  assert.notEqual(first?.key, second?.key)

  const again = await opened.run([file])
  assert.match(again.err, /^3 pets were already imported according to \S+state\.ndjson; use --again to start over\.\n/)
  assert.equal(again.out, "6 lines: 0 imported, 3 already imported, 2 refused, 1 blank. 0.5 s, 0 pets/s\n")
  const asJson = await opened.run([file, "--json"])
  assert.equal(asJson.out, '{"lines":6,"blank":1,"imported":0,"before":3,"refused":2,"held":0,"seconds":0.5}\n')
  assert.doesNotMatch(asJson.err, /already|listed/)
})

test("a dry run prints the first five pets and sends nothing", async () => {
  using opened = openImport()
  const file = opened.writePets([pet(" "), ...Array.from({ length: 6 }, (_, n) => pet(`p${n}`, { id: n }))])
  const dry = await opened.run([file, "--dry-run"])
  assert.equal(
    dry.out,
    `id  name  category  status  tags  photoUrls
0   p0
1   p1
2   p2
3   p3
4   p4
7 lines: 6 valid, 1 refused. 0.0 s
`,
  )
  assert.equal(dry.code, 1)
  assert.deepEqual(opened.sent, [])
  const asJson = await opened.run([file, "--dry-run", "--json"])
  assert.equal(asJson.out, '{"lines":7,"blank":0,"imported":6,"before":0,"refused":1,"held":0,"seconds":0}\n')
  const none = await opened.run([
    opened.writePets([pet(" ")]),
    "--dry-run",
    "--report",
    join(opened.directory, "report"),
  ])
  assert.deepEqual(none, {
    code: 1,
    out: "1 line: 0 valid, 1 refused. 0.0 s\n",
    err: `line 1: name must not be blank or contain NUL (invalid-body)
Refused lines are listed in ${join(opened.directory, "report")}
`,
  })
  const one = await opened.run([opened.writePets([pet("p", { id: 7 })]), "--dry-run"])
  assert.equal(one.out, "id  name  category  status  tags  photoUrls\n7   p\n1 line: 1 valid, 0 refused. 0.0 s\n")
})

test("an import of standard input keeps progress only with --state", async () => {
  using opened = openImport()
  const line = `${JSON.stringify(pet("piped"))}\n`
  await opened.run(["-"], line)
  assert.deepEqual(
    opened.sent.map(({ path }) => path),
    ["/pets/import"],
  )
  assert.deepEqual(readdirSync(join(opened.directory, "imports")), [])
  const state = join(opened.directory, "state")
  await opened.run(["-", "--state", state], line)
  assert.deepEqual(
    opened.sent.slice(1).map(({ path }) => path),
    ["/account", "/pets/import"],
  )
  const again = await opened.run(["-", "--state", state], line + line)
  assert.match(again.err, /^1 pet was already imported according to /)
  assert.match(again.out, /^2 lines: 1 imported, 1 already imported, 0 refused\./)
})

test("a failed import says how to continue, an interrupted one only that, and only a whole one is recorded as finished", async () => {
  using opened = openImport()
  const file = opened.writePets([pet("a"), pet("b")])
  const state = join(opened.directory, "state")
  const entries = () => readFileSync(state, "utf8").trimEnd().split("\n")
  opened.respond(() => undefined)
  const failed = await opened.run([file, "--state", state])
  assert.equal(failed.code, 1)
  assert.equal(failed.out, "0 lines: 0 imported, 0 refused. 0.0 s\n")
  assert.match(
    failed.err,
    /^The import is incomplete; run the same command again to continue\.\npetstore: http:\S+ responded 500 /,
  )
  assert.equal(entries().length, 2)
  opened.respond((pets) => pets.map((_, n) => ({ id: n + 1 })))
  await opened.run([file, "--state", state])
  assert.match(entries().at(-1) ?? "", /^\{"finished":"2026-01-01T00:00:00\.000Z"\}$/)
  opened.interruption.abort(new Interrupted("SIGINT"))
  const interrupted = await opened.run([file, "--state", join(opened.directory, "other")])
  assert.deepEqual([interrupted.code, interrupted.err], [130, "Interrupted. Run the same command again to continue.\n"])
})

test("an interrupted import finishes the requests in flight, and reads no more lines", async () => {
  using opened = openImport()
  const pets = Array.from({ length: 202 }, (_, n) => `${JSON.stringify(pet(`p${n}`))}\n`)
  const file = opened.write(pets.slice(0, 201).join("") + "\n".repeat(5) + pets[201])
  opened.respond((pets) => {
    opened.interruption.abort(new Interrupted("SIGINT"))
    return pets.map((_, n) => ({ id: n + 1 }))
  })
  assert.equal((await opened.run([file])).out, "200 lines: 200 imported, 0 refused. 0.0 s\n")
})

test("lines that may be stored are held back after a day, and sent again with --resend", async () => {
  using opened = openImport()
  const file = opened.writePets([pet("a"), pet("b")])
  const state = join(opened.directory, "state")
  opened.respond(() => undefined)
  await opened.run([file, "--state", state])
  const old = readFileSync(state, "utf8").replace("2026-01-01", "2025-12-30")
  writeFileSync(state, old)
  opened.respond((pets) => pets.map((_, n) => ({ id: n + 1 })))
  const held = await opened.run([file, "--state", state, "--report", join(opened.directory, "report")])
  const detail =
    "The line may have been sent more than a day ago, and its response is unknown; use --resend to send it again (in-doubt)"
  assert.deepEqual(held, {
    code: 1,
    out: "2 lines: 0 imported, 0 refused, 2 held back. 0.0 s\n",
    err: `line 1: ${detail}\nline 2: ${detail}\nRefused lines are listed in ${join(opened.directory, "report")}\n`,
  })
  writeFileSync(state, old)
  opened.respond((pets) => pets.map(() => ({ problem: { code: "pet-exists", detail: "It is taken" } })))
  const refused = await opened.run([file, "--state", state, "--resend"])
  assert.equal(refused.out, "2 lines: 0 imported, 2 refused. 0.0 s\n")
  assert.equal((await opened.run([file, "--state", state])).out, refused.out, "they are held back no longer")
  opened.respond((pets) => pets.map((_, n) => ({ id: n + 1 })))
  writeFileSync(state, old)
  const resent = await opened.run([file, "--state", state, "--resend"])
  assert.deepEqual([resent.code, resent.out], [0, "2 lines: 2 imported, 0 refused. 0.0 s\n"])
  assert.deepEqual(
    (await opened.run([file, "--state", state])).out,
    "2 lines: 0 imported, 2 already imported, 0 refused. 0.0 s\n",
  )
})

test("an import that holds back a single line has failed", async () => {
  using opened = openImport()
  const file = opened.writePets([pet("a")])
  const state = join(opened.directory, "state")
  opened.respond(() => undefined)
  await opened.run([file, "--state", state])
  writeFileSync(state, readFileSync(state, "utf8").replace("2026-01-01", "2025-12-30"))
  const { code, out } = await opened.run([file, "--state", state])
  assert.deepEqual([code, out], [1, "1 line: 0 imported, 0 refused, 1 held back. 0.0 s\n"])
})

test("a single pet beyond the plan is sent again, after the wait that the service requires", async () => {
  using opened = openImport()
  const headers = { "retry-after": "7", "content-type": "application/problem+json" }
  const wait = Response.json({ status: 429, code: "rate-limited", detail: "Too many" }, { status: 429, headers })
  const responses = [[{ id: 1 }, { problem: { code: "quota-exceeded", detail: "Too many" } }], wait, [{ id: 2 }]]
  opened.respond(() => responses.shift())
  assert.deepEqual(await opened.run([opened.writePets([pet("a"), pet("b")])]), {
    code: 0,
    out: "2 lines: 2 imported, 0 refused. 0.0 s\n",
    err: "Waiting 7 s: Too many\n",
  })
  assert.deepEqual(
    opened.sent.slice(1).map(({ pets }) => pets.map(({ name }) => name)),
    [["a", "b"], ["b"], ["b"]],
  )
})

test("of a file without a valid pet nothing is sent", async () => {
  using opened = openImport()
  assert.equal((await opened.run([opened.writePets([pet(" ")])])).code, 1)
  assert.equal((await opened.run([opened.write("\n")])).code, 0)
  assert.deepEqual(
    opened.sent.map(({ path }) => path),
    ["/account", "/account"],
  )
})

test("the progress of a long import is shown with its rate, and is removed when it ends", async () => {
  const pets = Array.from({ length: 301 }, (_, n) => pet(`p${n}`))
  const run = async (isTerminal: boolean) => {
    using opened = openImport({ tookMs: 3000, isTerminal })
    opened.respond((sent) =>
      sent.map((_, n) => (n < 2 ? { problem: { code: "pet-exists", detail: "It is taken" } } : { id: n + 1 })),
    )
    return await opened.run([opened.writePets(pets), "--report", join(opened.directory, "report")])
  }
  const out = "301 lines: 294 imported, 7 refused. 12.0 s, 25 pets/s\n"
  const shown = await run(false)
  const refused = (...lines: number[]) => lines.map((line) => `line ${line}: It is taken (pet-exists)\n`).join("")
  assert.deepEqual(
    [shown.out, shown.err.replace(/\S+report/, "report")],
    [
      out,
      `${refused(1)}1 of 301
${refused(2, 101, 102, 201, 202, 301)}301 of 301  25/s  0 s left
Refused lines are listed in report
`,
    ],
  )
  const drawn = await run(true)
  assert.equal(drawn.out, out)
  assert.deepEqual(
    drawn.err
      .replace(/\S+report/, "report")
      .split("\r\u001b[K")
      .slice(-2),
    [`${"█".repeat(20)}  301 of 301  25/s  0 s left`, "Refused lines are listed in report\n"],
  )
})

test("an import leaves its progress, which is closed, and no empty report", { skip: cannotListOpenFiles }, async () => {
  using opened = openImport()
  await opened.run([opened.writePets([pet("a")])])
  const [state = "", ...others] = readdirSync(join(opened.directory, "imports"))
  assert.match(state, /\.state\.ndjson$/)
  assert.deepEqual([others, countOpen(join(opened.directory, "imports", state))], [[], 0])
})

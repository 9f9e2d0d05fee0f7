import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { gzipSync } from "node:zlib"
import { appoint, signedIn } from "../../harness/console.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { until } from "../../harness/until.ts"
import { before, usePetstore } from "../../harness/use.ts"

// The tests send more forms than a plan allows, while the clock stands still.
const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "unlimited" } })
before(() => appoint(petstore))
const admin = () => petstore.as("special-key")
const pet = (name: string, more: object = {}) => JSON.stringify({ name, photoUrls: [], ...more })
const named = async (name: string) => (await admin().listPets({ query: { name, limit: 1000 } })).value

type Visitor = Awaited<ReturnType<typeof signedIn>>

/** Sends a file with the form of the current page. */
function sendFile(
  visitor: Visitor,
  action: string,
  file: string | Buffer<ArrayBuffer>,
  fields: Record<string, string> = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set("file", new Blob([file]), "pets")
  const query = new URLSearchParams({ form: visitor.hidden().form ?? "", action })
  return visitor.go(`/console/pets/import?${query}`, { method: "POST", body })
}

async function open(role: "staff" | "customer" = "staff") {
  const visitor = await signedIn(petstore, role)
  await visitor.go("/console/pets/import")
  return visitor
}

describe("an import in the console", () => {
  test("previews the column mapping without adding pets", async () => {
    const staff = await open()
    const { html } = await sendFile(staff, "preview", "Name;Colour;Tags\nSeen 1;red;a|b\nSeen 2;;\n ;red;\n")
    assert.match(html, /Preview: no pets were added/)
    assert.match(html, />Colour<\/td><td[^>]*><span class="badge plain">ignored/)
    assert.match(html, />Name<\/td><td[^>]*><code>name<\/code>/)
    assert.match(html, /<dt>Valid pets<\/dt><dd>2<\/dd>/)
    assert.match(html, /Seen 1<\/span><\/td>.*a, b<\/td>/s)
    assert.match(html, />4<\/td><td[^>]*>name is required/)
    assert.deepEqual(await named("Seen"), [])
  })

  test("adds each pet once in repeated imports, and again only on request (slow)", async () => {
    const lines = Array.from({ length: 200 }, (_, n) => pet(`Once ${n % 150}`)).join("\n")
    const staff = await open()
    assert.match((await sendFile(staff, "import", lines)).html, /<dt>Pets added<\/dt><dd>200<\/dd>/)
    const again = await sendFile(await open(), "import", `${lines}\n${pet("Once more")}`)
    assert.match(again.html, /<dt>Pets added<\/dt><dd>1<\/dd>\s*<dt>Already imported<\/dt><dd>200<\/dd>/)
    const csv = ["name", ...Array.from({ length: 150 }, (_, n) => `Once ${n}`)].join("\n")
    assert.match((await sendFile(await open(), "import", csv)).html, /Already imported<\/dt><dd>150<\/dd>/)
    const explicit = pet("Once 0", { status: "available", tags: [] })
    assert.match((await sendFile(await open(), "import", explicit)).html, /Already imported<\/dt><dd>1<\/dd>/)
    assert.equal((await named("Once")).length, 201)
    await sendFile(await open(), "import", pet("Once more"), { again: "yes" })
    assert.equal((await named("Once more")).length, 2)
  })

  test("reports all refused lines in a download, and imports corrected ones", async () => {
    const file = `${pet("Right 1")}\n{"name":\n${pet("Taken", { id: 1 })}\n${pet("", { status: "lost" })}\n=1+1\n`
    const { html } = await sendFile(await open(), "import", file)
    assert.match(html, /<dt>Pets added<\/dt><dd>1<\/dd>/)
    assert.match(html, /<dt>Lines refused<\/dt><dd>4<\/dd>/)
    const [, base64 = ""] = /href="data:text\/csv;base64,([^"]+)" download="refused-lines.csv"/.exec(html) ?? []
    const report = Buffer.from(base64, "base64").toString().split("\r\n")
    assert.deepEqual(
      report.map((line) => line.split(",").slice(0, 2).join()),
      ["\ufeffline,code", "2,malformed-json", "3,pet-exists", "4,invalid-body", "5,malformed-json", ""],
    )
    assert.match(report[4] ?? "", /,'=1\+1$/)
    const corrected = await sendFile(await open(), "import", file, { newIds: "yes" })
    assert.match(corrected.html, /<dt>Pets added<\/dt><dd>2<\/dd>/)
  })

  test("gives pets new ids, also when the service would refuse those in the file", async () => {
    const file = "id,name\nA100001,Foreign 1\n-5,Foreign 2\n"
    for (const action of ["preview", "import"]) {
      const { html } = await sendFile(await open(), action, file, { newIds: "yes" })
      assert.match(html, /<dd>2<\/dd>\s*<dt>Lines refused<\/dt><dd>0</)
    }
    assert.match((await sendFile(await open(), "import", file, { newIds: "yes" })).html, /Already imported<\/dt><dd>2</)
    assert.equal((await named("Foreign")).length, 2)
  })

  test("reads UTF-16, and says what a file of another format is, as the command line does", async () => {
    const text = Buffer.from("\ufeffid\tname\r\n7201.0\tWide 1\r\n\x1a", "utf16le")
    assert.match((await sendFile(await open(), "import", text)).html, /<dt>Pets added<\/dt><dd>1<\/dd>/)
    assert.deepEqual(
      (await named("Wide")).map(({ id }) => id),
      [7201],
    )
    for (const [file, reason] of [
      [gzipSync("name\nRex\n"), /is compressed by gzip: unpack it/],
      [Buffer.from("%PDF-1.7\n"), /is a PDF document/],
    ] as const)
      assert.match((await sendFile(await open(), "preview", Buffer.from(file))).html, reason)
  })

  test("maps columns as the form says, in the preview and in the import, and keeps what was entered", async () => {
    const fields = { map: "Race=category\r\ncolour=tags\r\n\r\nstatus=nothing", newIds: "yes" }
    const file = "id,name,Race,colour,status\nx,Mapped 1,Pug,red;tan,?\n"
    const preview = await sendFile(await open(), "preview", file, fields)
    assert.match(preview.html, />Race<\/td><td[^>]*><code>category</)
    assert.match(preview.html, /<textarea[^>]*>Race=category\s+colour=tags\s+status=nothing<\/textarea>/)
    await sendFile(await open(), "import", file, fields)
    const untitled = { columns: "name, type", map: "" }
    const { html } = await sendFile(await open(), "import", "Mapped 2,Pug\n", untitled)
    assert.match(html, /<dt>Pets added<\/dt><dd>1</)
    assert.match(html, /<input[^>]*name="columns"[^>]*value="name, type"/)
    assert.deepEqual(
      (await named("Mapped")).map(({ name, category, tags }) => [name, category?.name, ...tags.map((tag) => tag.name)]),
      [
        ["Mapped 1", "Pug", "red", "tan"],
        ["Mapped 2", "Pug"],
      ],
    )
    for (const [wrong, why] of [
      [{ map: "Race" }, /is not TITLE=COLUMN/],
      [{ map: "Rase=category" }, /has no column &quot;Rase&quot;/],
      [{ columns: "name,type" }, /has column names in its first line/],
    ] as const) {
      const refused = await sendFile(await open(), "import", file, wrong)
      assert.equal(refused.status, 422)
      assert.match(refused.html, why)
    }
  })

  test("refuses a file without pets, and a missing file, on its page (slow)", async () => {
    const staff = await open()
    for (const [text, why] of [
      ["a,b\n", /CSV with column names in the first line/],
      ["", /must not be empty/],
    ] as const) {
      const { status, html } = await sendFile(staff, "import", text)
      assert.equal(status, 422)
      assert.match(html, why)
      assert.match(html, /<h1>Import pets/)
    }
    const large = await sendFile(staff, "preview", "x".repeat(33 * 1024 * 1024))
    assert.equal(large.status, 413)
  })

  test("stops at the maximum number of pets and reports it (slow)", async () => {
    const many = `name\n${"x\n".repeat(100_001)}`
    const { html } = await sendFile(await open(), "preview", many)
    assert.match(html, /role="alert">The operation was not completed. A file may hold 100000 pets/)
    assert.match(html, /<\/html>/)
  })

  test("stops after 5,000 refused lines and lists them, and after 200,000 lines (slow)", async () => {
    const refused = await sendFile(await open(), "preview", `name\nRight\n${",x\n".repeat(6_000)}`)
    assert.match(
      refused.html,
      /role="alert">The operation was not completed. 5000 lines were refused. Correct the file/,
    )
    assert.match(refused.html, /<dt>Valid pets<\/dt><dd>1<\/dd>\s*<dt>Lines refused<\/dt><dd>5000<\/dd>/)
    const [, base64 = ""] = /href="data:text\/csv;base64,([^"]+)"/.exec(refused.html) ?? []
    assert.equal(Buffer.from(base64, "base64").toString().split("\r\n").length, 5_002)
    const blank = await sendFile(await open(), "preview", `${pet("Alone")}\n${"\n".repeat(200_001)}`)
    assert.match(blank.html, /role="alert">The operation was not completed. A file may have 200000 lines, including/)
  })

  test("may take long: the client's connection is kept open meanwhile (slow)", async () => {
    let now = 0
    const passing = () => {
      now += 20_000
      return now
    }
    await using slow = await startPetstore({ connectionLimits: { sweepMs: 1, now: passing } })
    await appoint(slow)
    const staff = await signedIn(slow, "staff")
    await staff.go("/console/pets/import")
    const text = Array.from({ length: 2000 }, (_, n) => pet(`Lengthy ${n}`)).join("\n")
    assert.match((await sendFile(staff, "import", text)).html, /<dt>Pets added<\/dt><dd>2000<\/dd>/)
    assert.ok(now > 40_000)
  })

  test("that was aborted is continued with the same file, and leaves no files (slow)", async () => {
    const text = Array.from({ length: 3000 }, (_, n) => pet(`Interrupted ${n}`)).join("\n")
    const staff = await open()
    const leaving = new AbortController()
    const body = new FormData()
    body.set("file", new Blob([text]), "pets")
    const query = new URLSearchParams({ form: staff.hidden().form ?? "", action: "import" })
    const cookie = staff.cookies().map(({ name, value }) => `${name}=${value}`)
    const response = await fetch(`${petstore.url}/console/pets/import?${query}`, {
      method: "POST",
      body,
      headers: { origin: petstore.url, cookie: cookie.join("; ") },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    const nothingStays = (what: string) =>
      until(() => readdirSync(join(petstore.imageDirectory, "staged")).length === 0, `the file of ${what} stayed`)
    await nothingStays("the interrupted import")
    const { html } = await sendFile(await open(), "import", text)
    const [, added = "", before = ""] =
      /added<\/dt><dd>(\d+)<\/dd>\s*<dt>Already imported<\/dt><dd>(\d+)/.exec(html) ?? []
    assert.equal(Number(added) + Number(before), 3000)
    assert.ok(Number(added) > 0 && Number(before) > 0, `${added} and ${before}`)
    assert.equal((await sendFile(await open(), "export", "")).status, 400)
    await nothingStays("an import that ended")
  })

  test("runs at most twice at a time per user", async () => {
    const staff = await open()
    const query = new URLSearchParams({ form: staff.hidden().form ?? "", action: "preview" })
    const cookie = staff.cookies().map(({ name, value }) => `${name}=${value}`)
    const leaving = new AbortController()
    const unending = () =>
      fetch(`${petstore.url}/console/pets/import?${query}`, {
        method: "POST",
        body: new ReadableStream({ start: (sent) => sent.enqueue(Buffer.from("--x\r\n")) }),
        duplex: "half",
        headers: {
          origin: petstore.url,
          cookie: cookie.join("; "),
          connection: "close",
          "content-type": "multipart/form-data; boundary=x",
        },
        signal: leaving.signal,
      }).catch(() => undefined)
    const others = [unending(), unending()]
    let refused = await sendFile(await open(), "preview", pet("Third"))
    await until(async () => {
      refused = await sendFile(await open(), "preview", pet("Third"))
      return refused.status === 503
    }, "a third one was taken in")
    assert.match(refused.html, /role="alert">You have 2 files being read/)
    leaving.abort()
    await Promise.all(others)
    await until(
      async () => (await sendFile(await open(), "preview", pet("Third"))).status === 200,
      "the room stayed taken",
    )
  })

  test("is not there for a customer", async () => {
    const customer = await signedIn(petstore, "customer")
    await customer.go("/console")
    assert.equal((await sendFile(customer, "import", pet("Smuggled"))).status, 404)
    assert.deepEqual(await named("Smuggled"), [])
  })

  test("displays the content of a file as text (slow)", async () => {
    for (const text of hostileTexts) {
      const staff = await open()
      const json = await sendFile(staff, "preview", `${pet(text, { tags: [{ name: text }] })}\n{${text}\n`)
      requireAsText(json.html, text, "NDJSON")
      await staff.go("/console/pets/import")
      const csv = await sendFile(staff, "preview", `name,"${text.replaceAll('"', '""')}"\nRex,\n`)
      requireAsText(csv.html, text, "CSV")
    }
  })
})

describe("an export of the console", () => {
  test("is a file of all pets in the import's format (slow)", async () => {
    await sendFile(await open(), "import", `name\n${Array.from({ length: 1010 }, (_, n) => `"'=Out ${n}"`).join("\n")}`)
    const customer = await signedIn(petstore, "customer")
    const { html, headers } = await customer.go("/console/pets/export?format=ndjson&name=&status=&category=&tag=")
    assert.equal(headers.get("content-disposition"), 'attachment; filename="pets.ndjson"')
    assert.equal(headers.get("content-type"), "application/x-ndjson; charset=utf-8")
    const pets = html
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.ok(pets.length > 1010)
    assert.deepEqual(pets[0], (await admin().getPetRecord({ params: { petId: 1 } })).value)
    assert.deepEqual(
      pets.map(({ id }) => id),
      pets.map(({ id }) => id).sort((a, b) => a - b),
    )

    const csv = await customer.go("/console/pets/export?format=&name=%3Dout")
    assert.match(csv.headers.get("content-disposition") ?? "", /pets\.csv/)
    assert.equal(csv.html.split("\r\n").length, 1012)
    assert.match(csv.html, /\r\n\d+,'=Out 0,,available,,,2026-\S+\r\n/)
    const { html: read } = await sendFile(await open(), "preview", csv.html)
    assert.match(read, /<dt>Valid pets<\/dt><dd>1010<\/dd>/)
    assert.match(read, />=Out 0<\/span><\/td>/)
  })

  test("is filtered like the list, and reports invalid filters on its page", async () => {
    const customer = await signedIn(petstore, "customer")
    assert.match((await customer.go("/console/pets?status=sold&sort=id")).html, /\/pets\/export\?status=sold"/)
    const { html } = await customer.go("/console/pets/export?format=ndjson&status=sold")
    assert.deepEqual(
      [
        ...new Set(
          html
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line).status),
        ),
      ],
      ["sold"],
    )
    const refused = await customer.go("/console/pets/export?format=ndjson&name=a&tag=b")
    assert.match(refused.headers.get("content-type") ?? "", /^text\/html/)
    assert.match(refused.html, /id="name-error" role="alert">This cannot be combined with tag/)
  })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { PetReplacement } from "../../src/core/domain/pets/contract.ts"
import { readMultipart, readUrlencoded } from "../../src/core/server/reading/form-fields.ts"
import { composeForm } from "../../src/core/server/reading/form-value.ts"
import { readXml } from "../../src/core/server/xml/read-xml.ts"
import { writeXml } from "../../src/core/server/xml/write-xml.ts"
import { anyText } from "../harness/arbitraries.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

/** Texts that XML can contain: no control characters but tab and line ends, and no noncharacters of the basic plane. */
const xmlText = anyText().filter((text) => !/[^\t\n\r -\ufffd\u{10000}-\u{10ffff}]/u.test(text))

const pet = fc
  .record({
    id: fc.maxSafeNat(),
    category: fc.record({ name: xmlText }),
    name: xmlText,
    photoUrls: fc.array(
      fc.webPath({ size: "small" }).map((path) => `/${path}`),
      { maxLength: 3 },
    ),
    tags: fc.array(fc.record({ name: xmlText }), { maxLength: 3 }),
    status: fc.constantFrom("available", "sold"),
  })
  .map((value) => structuredClone(value))

test("any pet written as XML is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(pet, async (value) => {
      assert.deepEqual(await readXml(Buffer.from(writeXml(PetReplacement, value)), PetReplacement), value)
    }),
    { numRuns: 100 },
  )
})

test("any pet sent as a form, of either kind, is read unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(pet, async (value) => {
      const { category, tags, photoUrls, ...scalars } = value
      const pairs = [
        ...Object.entries(scalars).map(([name, text]) => [name, String(text)] as const),
        ["category", JSON.stringify(category)] as const,
        ...photoUrls.map((url) => ["photoUrls", url] as const),
        ...(tags.length > 0 ? [["tags", JSON.stringify(tags)] as const] : []),
      ]
      const expected = { ...scalars, category, photoUrls, ...(tags.length > 0 && { tags }) }
      const urlencoded = `${new URLSearchParams(pairs.map(([name, text]) => [name, text]))}`
      assert.deepEqual(composeForm(PetReplacement, readUrlencoded(Buffer.from(urlencoded))), expected)

      // Browsers normalize line ends in multipart forms.
      if (/[\r\n]/.test(JSON.stringify(Object.fromEntries(pairs)) + photoUrls + value.name)) return
      const form = new FormData()
      for (const [name, text] of pairs) form.append(name, text)
      const sent = new Response(form)
      const headers = { "content-type": sent.headers.get("content-type") ?? "" }
      const fields = await readMultipart(Buffer.from(await sent.arrayBuffer()), headers)
      assert.deepEqual(composeForm(PetReplacement, fields), expected)
    }),
    { numRuns: 100 },
  )
})

const boundary = "b"
const pieces = {
  "application/xml": [
    "<pet>",
    "</pet>",
    "<name>",
    "</name>",
    "<photoUrls/>",
    "<tags>",
    "<tag/>",
    "</tags>",
    "<id>",
    "<",
    ">",
    "&",
    "&amp;",
    "&#",
    ";",
    "1",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE",
    "[",
    "'",
    '"',
    "=",
    "\u0000",
    "é",
  ],
  "application/x-www-form-urlencoded": [
    "name",
    "=",
    "&",
    "id",
    "tags",
    "photoUrls",
    "category",
    "%",
    "%41",
    "+",
    "{",
    "}",
    "[",
    "]",
    '"',
    "1",
    "status",
    "sold",
    "\u0000",
    "é",
  ],
  [`multipart/form-data; boundary=${boundary}`]: [
    `--${boundary}`,
    "--",
    "\r\n",
    "\r\n\r\n",
    "Content-Disposition: form-data; name=",
    '"name"',
    "photoUrls",
    "tags",
    ";",
    " filename=a",
    ":",
    "Content-Type: ",
    "{",
    "1",
    "\u0000",
    "é",
  ],
}

for (const [type, parts] of Object.entries(pieces))
  test(`any ${type} returns success or a problem below 500 (slow)`, async () => {
    const body = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...parts) }, anyText(5)), { maxLength: 30 })
    const paths = fc.constantFrom(
      "POST /pet",
      "PUT /pet",
      "POST /pet/3",
      "POST /store/order",
      "POST /user",
      "PUT /user/user3",
    )
    await fc.assert(
      fc.asyncProperty(body, paths, async (chosen, request) => {
        const [method = "", path] = request.split(" ")
        const response = await fetch(`${petstore.url}/api/v3${path}`, {
          method,
          headers: { api_key: "special-key", "content-type": type },
          body: chosen.join(""),
        })
        assert.ok(response.status < 500, `${response.status} ${await response.text()}`)
      }),
      { numRuns: 300 },
    )
  })

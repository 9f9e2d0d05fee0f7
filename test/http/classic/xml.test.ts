import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { api } from "../../../src/domain/api.ts"
import type { Endpoint } from "../../../src/kernel/endpoint/endpoint.ts"
import { jsonType, xmlType } from "../../../src/kernel/network/media-types.ts"
import { keySender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

const send = keySender(petstore)

const post = (body: string | Uint8Array, path = "/pet") => send("POST", path, body, { "content-type": xmlType })

describe("the format of a response", () => {
  for (const [accept, type] of [
    [undefined, "json"],
    ["*/*", "json"],
    ["application/xml", "xml"],
    ["APPLICATION/XML; charset=utf-8", "xml"],
    ["application/xml, */*;q=0.1", "xml"],
    ["application/json;q=0.5, application/xml;q=0.6", "xml"],
    ["application/xml, application/json", "json"],
    ["application/json, application/xml;q=0.9", "json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"],
    ["text/html, application/xml;q=0.9", "xml"],
    ["application/*", "json"],
  ] as const)
    test(`to Accept: ${accept} is ${type}, and so is that of a problem`, async () => {
      const headers = accept === undefined ? {} : { accept }
      const found = await send("GET", "/pet/1", undefined, headers)
      assert.equal(found.headers.get("content-type"), type === "xml" ? "application/xml; charset=utf-8" : jsonType)
      assert.equal(found.text.startsWith("<?xml"), type === "xml")
      const absent = await send("GET", "/pet/4711", undefined, headers)
      assert.deepEqual(
        { status: absent.status, "content-type": absent.headers.get("content-type") },
        { status: 404, "content-type": `application/problem+${type}` },
      )
    })

  test("of an operation without XML is 406 for clients that accept nothing else", async () => {
    const { status, text } = await send("GET", "/keys", undefined, { accept: xmlType })
    assert.equal(status, 406)
    assert.match(text, /<problem xmlns="urn:ietf:rfc:7807">.*<code>not-acceptable<\/code>/)
  })
})

test("each format of a pet has its own strong tag, and either works in If-Match", async () => {
  const { text } = await send("POST", "/pet", '{"name":"a","photoUrls":[]}')
  const path = `/pet/${JSON.parse(text).id}`
  const inJson = await send("GET", path)
  const inXml = await send("GET", path, undefined, { accept: xmlType })
  const [json, xml] = [inJson, inXml].map(({ headers }) => headers.get("etag") ?? "") as [string, string]
  assert.notEqual(json, xml)
  assert.deepEqual(
    [inJson, inXml].map(({ headers }) => headers.get("vary")),
    ["accept", "accept"],
  )
  for (const [accept, known, status] of [
    ["application/json", json, 304],
    ["application/json", xml, 200],
    [xmlType, xml, 304],
    [xmlType, json, 200],
  ] as const) {
    const again = await send("GET", path, undefined, { accept, "if-none-match": known })
    assert.deepEqual(
      { status: again.status, vary: again.headers.get("vary") },
      { status, vary: "accept" },
      `${accept} ${known}`,
    )
  }
  assert.equal((await send("POST", `${path}?name=b`, undefined, { "if-match": xml })).status, 200)
  assert.equal((await send("POST", `${path}?name=c`, undefined, { "if-match": xml })).status, 412)
  assert.equal((await send("POST", `${path}?name=c`, undefined, { "if-match": json })).status, 412)
})

describe("a document", () => {
  const pet = (more: string) => `<pet><name>a</name><photoUrls/>${more}</pet>`

  test("is read like JSON: text with references and CDATA, numbers with surrounding white space, unknown elements ignored", async () => {
    const { status, text } = await post(
      '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<!-- a pet -->\n<?x y?><pet xmlns="urn:x" a="b">\n' +
        "<name> &lt;R&#233;x&gt; <![CDATA[&amp;]]></name><photoUrls>\n<photoUrl>/1</photoUrl>\n<photoUrl>/2</photoUrl></photoUrls>" +
        "<id>\n 815 </id><tags/><colour><deep>red</deep></colour></pet>\n",
    )
    assert.equal(status, 200, text)
    const { name, photoUrls, id, tags } = JSON.parse(text)
    assert.deepEqual(
      { name, photoUrls, id, tags },
      { name: " <Réx> &amp;", photoUrls: ["/1", "/2"], id: 815, tags: [] },
    )
  })

  for (const [what, body] of Object.entries({
    "no XML": "{}",
    "not complete": "<pet><name>a</name>",
    "two documents": `${pet("")}<pet/>`,
    "with a document type": `<!DOCTYPE pet>${pet("")}`,
    "with an entity of HTML": pet("<tags><tag><name>&eacute;</name></tag></tags>"),
    "with a character XML does not have": pet("<status>&#1;</status>"),
    "with half a surrogate pair": pet("<status>&#xD83D;</status>"),
    "that says it is in another encoding": `<?xml version="1.0" encoding="ISO-8859-1"?>${pet("<tags><tag><name>\u00e9</name></tag></tags>")}`,
    "that is not UTF-8": Buffer.from(pet("\xe9"), "latin1"),
    "in UTF-16": Buffer.from(`\ufeff${pet("")}`, "utf16le"),
    "nested deeper than 32 levels": pet(`${"<a>".repeat(32)}${"</a>".repeat(32)}`),
  }))
    test(`${what}: 400`, async () => {
      const { status, text } = await post(body)
      assert.equal(status, 400, text)
      const { code, detail } = JSON.parse(text)
      assert.equal(code, "malformed-xml")
      assert.doesNotMatch(detail, /passwd|xmldecl|RangeError/)
    })

  test("that declares entities is refused before they are expanded, and its response quotes nothing", async () => {
    const nested = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("")
    for (const declared of [
      '<!ENTITY a0 "secret">',
      `<!ENTITY a0 "secret">${nested}`,
      '<!ENTITY a0 SYSTEM "file:///secret">',
      '<!ENTITY % p SYSTEM "http://127.0.0.1:9/secret"> %p;',
    ]) {
      const body = `<!DOCTYPE pet [${declared}]><pet><name>&a0;</name><photoUrls/></pet>`
      const { status, text } = await post(body)
      assert.deepEqual({ status, code: JSON.parse(text).code }, { status: 400, code: "malformed-xml" })
      assert.doesNotMatch(text, /secret/)
    }
  })

  test("nested as deep as JSON may be is read", async () => {
    assert.equal((await post(pet(`${"<a>".repeat(31)}${"</a>".repeat(31)}`))).status, 200)
  })

  const partsMax = 10_000
  for (const [what, fill] of Object.entries({
    elements: (parts: number) => "<a/>".repeat(parts),
    attributes: (parts: number) => `<a${Array.from({ length: parts - 1 }, (_, n) => ` a${n}=''`).join("")}/>`,
    comments: (parts: number) => "<!---->".repeat(parts),
    "processing instructions": (parts: number) => "<?a?>".repeat(parts),
    "CDATA sections": (parts: number) => "<![CDATA[]]>".repeat(parts),
  }))
    test(`made of ${partsMax} parts is read, of one more is refused: ${what}`, async () => {
      const most = partsMax - (pet("").match(/<\w/g)?.length ?? 0)
      assert.equal((await post(pet(fill(most)))).status, 200)
      const { status, text } = await post(pet(fill(most + 1)))
      assert.deepEqual({ status, code: JSON.parse(text).code }, { status: 400, code: "malformed-xml" })
    })

  for (const [what, body, pointer] of [
    ["of something else", "<order/>", ""],
    ["without what is required", "<pet><name>a</name></pet>", "/photoUrls"],
    ["with a name twice", pet("<name>b</name>"), "/name"],
    ["with elements where text belongs", "<pet><name><b>a</b></name><photoUrls/></pet>", "/name"],
    ["with an unknown status", pet("<status>lost</status>"), "/status"],
    ["with an id beyond 2^53", pet("<id>9007199254740993</id>"), "/id"],
    ["with an id that is a fraction", pet("<id>1.0</id>"), "/id"],
    ["with an empty category", pet("<category/>"), "/category/name"],
    ["with a tag without name", pet("<tags><tag><id>1</id></tag></tags>"), "/tags/0/name"],
    ["with too many tags", pet(`<tags>${"<tag/>".repeat(51)}</tags>`), "/tags"],
  ] as const)
    test(`${what}: 422 at ${pointer || "the whole"}`, async () => {
      const { status, text } = await post(body)
      assert.deepEqual({ status, pointer: JSON.parse(text).errors?.[0].pointer }, { status: 422, pointer }, text)
    })

  test("is read by the classic operations only", async () => {
    assert.equal((await post("<key/>", "/keys")).status, 415)
    assert.equal((await send("PATCH", "/pet/1", "<pet/>", { "content-type": xmlType })).status, 415)
  })
})

test("no response in XML contains a password", async () => {
  const password = "<secret>&12345"
  const user = `<user><username>xmlUser</username><password><![CDATA[${password}]]></password></user>`
  const headers = { "content-type": xmlType, accept: xmlType }
  const made = await send("POST", "/user", user, headers)
  const read = await send("GET", "/user/xmlUser", undefined, headers)
  for (const { status, text } of [made, read]) {
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /password|secret|12345/)
  }
  const query = new URLSearchParams({ username: "xmlUser", password })
  assert.match(
    (await send("GET", `/user/login?${query}`, undefined, { accept: xmlType })).text,
    /\n<token>pss_\w+<\/token>$/,
  )
})

test("every schema that may be XML names its element, and its lists are wrapped", () => {
  const unnamed: string[] = []
  for (const [name, { body, response, consumes, produces }] of Object.entries<Endpoint>(api)) {
    if (body && consumes?.includes(xmlType)) look(body as Schema, `${name} body`, true)
    if (produces?.includes(xmlType)) look(response as Schema, `${name} response`, true)
  }
  function look({ type, xml, properties = {}, items }: Schema, where: string, isRoot = false): void {
    if (isRoot && !xml?.name) unnamed.push(where)
    if (type === "array" && !xml?.wrapped) unnamed.push(where)
    if (type === "array" && !items?.xml?.name) unnamed.push(`${where} items`)
    if (items) look(items, `${where} items`)
    for (const [field, of] of Object.entries(properties)) look(of, `${where} ${field}`)
  }
  assert.deepEqual(unnamed, [])
})

type Schema = {
  type?: string
  xml?: { name?: string; wrapped?: boolean }
  properties?: Record<string, Schema>
  items?: Schema
}

describe("XML that other serializers write", () => {
  const pet = (inside: string) =>
    post(`<pet xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name>X</name>${inside}</pet>`)
  const created = async (inside: string) => {
    const { status, text } = await pet(inside)
    assert.equal(status, 200, text)
    return JSON.parse(text)
  }

  test("a list without wrapping elements has their texts or members as items", async () => {
    const unwrapped = "<photoUrls>a.jpg</photoUrls><photoUrls>b.jpg</photoUrls>"
    assert.deepEqual((await created(unwrapped)).photoUrls, ["a.jpg", "b.jpg"])
    const { photoUrls, tags } = await created(
      "<photoUrls>a.jpg</photoUrls><tags><name>t</name></tags><tags><id>1</id><name>u</name></tags>",
    )
    assert.deepEqual(photoUrls, ["a.jpg"])
    assert.deepEqual(
      tags.map(({ name }: { name: string }) => name),
      ["t", "u"],
    )
  })

  test("text where elements are declared is 422, never dropped", async () => {
    for (const inside of [
      "<photoUrls/><tags>friendly</tags>",
      "<photoUrls/><tags>friendly<tag><name>t</name></tag></tags>",
      "<photoUrls/><category>Dogs</category>",
      "<photoUrls/><category>Dogs<name>Cats</name></category>",
      "<photoUrls/>Dogs",
    ]) {
      const { status, text } = await pet(inside)
      assert.equal(status, 422, inside)
      assert.match(JSON.parse(text).errors[0].detail, /^must be an? /)
    }
  })

  test("nil, and an empty number, word, time or boolean, count as omitted", async () => {
    for (const inside of [
      '<photoUrls/><id xsi:nil="true"/>',
      "<photoUrls/><id/>",
      '<photoUrls/><status xsi:nil="1"/>',
      "<photoUrls/><status></status>",
      '<photoUrls/><category xsi:nil="true"/><tags xsi:nil="true"/>',
      '<photoUrls xsi:nil="true"/>',
    ]) {
      const value = await created(inside)
      assert.deepEqual({ ...value, id: 0 }, { id: 0, name: "X", photoUrls: [], tags: [], status: "available" })
    }
    const { status, text } = await post(
      "<order><petId>2</petId><quantity/><shipDate/><complete/></order>",
      "/store/order",
    )
    assert.equal(status, 200, text)
    assert.deepEqual(
      { ...JSON.parse(text), id: 0 },
      { id: 0, petId: 2, quantity: 1, status: "placed", complete: false },
    )
  })

  test("a required value that is nil or empty is 422", async () => {
    for (const body of [
      '<pet xmlns:xsi="x"><name xsi:nil="true"/><photoUrls/></pet>',
      "<pet><name/><photoUrls/></pet>",
      '<pet xmlns:xsi="x" xsi:nil="true"/>',
    ])
      assert.equal((await post(body)).status, 422, body)
    assert.equal((await post("<order><petId/></order>", "/store/order")).status, 422)
  })
})

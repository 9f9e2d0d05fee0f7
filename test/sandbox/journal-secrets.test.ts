import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { withoutSecrets } from "../../src/parts/sandbox/journal/without-secrets.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { appoint, signedIn } from "../harness/console.ts"
import { serverUrl } from "../harness/database.ts"
import { startPetstore } from "../harness/petstore.ts"
import { keySender } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const formType = "application/x-www-form-urlencoded"
const password = "pw-Quite-Unusual-7"

describe("the credentials of a sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  before(() => appoint(petstore))

  test("appear in none of its journal, stream, console and logs, however they were sent or issued (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "credentials" })
    const secrets = new Set([password])
    async function sendNoting(path: string, body?: string | FormData, headers: Record<string, string> = {}) {
      // Only the service itself has an authorization server.
      const send = keySender(path.startsWith("/oauth/") ? petstore : sandbox, "")
      const { status, text } = await send(body === undefined ? "GET" : "POST", path, body, headers)
      for (const [secret] of text.matchAll(/(?:p[so][sk]_|whsec_)[\w+/=-]{20,}/g)) secrets.add(secret)
      const [, token] = /"access_token":"([^"]+)"/.exec(text) ?? []
      if (token) secrets.add(token)
      return { status, text }
    }
    const xml = { accept: "application/xml" }
    const user = (name: string) => JSON.stringify({ username: name, password })
    await sendNoting("/api/v3/user", user("json"))
    await sendNoting("/api/v3/user", `username=form&%70assword=${password}`, { "content-type": formType.toUpperCase() })
    await sendNoting("/api/v3/user", `<User><username>xml</username><password>${password}</password></User>`, {
      "content-type": "application/xml",
    })
    const boundary = `--x\r\nContent-Disposition: form-data; name="username"\r\n\r\nparts\r\n--x\r\nContent-Disposition: form-data; `
    await sendNoting("/api/v3/user", `${boundary}name*=utf-8''%70assword\r\n\r\n${password}\r\n--x--\r\n`, {
      "content-type": "multipart/form-data; boundary=x",
    })
    // No field of these can be read by its name.
    for (const path of ["/user", "/user/login", "/user/createWithList", "/user/logni"])
      for (const [body, type] of [
        [`{"username":"a","${password}`, "application/json"],
        [`{"username":"a","pass\\`, "application/json"],
        [JSON.stringify(password), "application/json"],
        [JSON.stringify([password]), "application/json"],
        [JSON.stringify(JSON.stringify({ password })), "application/json"],
        [password, "text/plain"],
        [password, formType],
        [user("form"), formType],
        [`a=b&${password}`, formType],
        [`<User><p>${password}</p></User>`, "application/xml"],
        [`${boundary}name="pass\\word"\r\n\r\n${password}\r\n--x--\r\n`, "multipart/form-data; boundary=x"],
      ] as const)
        await sendNoting(`/api/v3${path}`, body, { "content-type": type })
    await sendNoting("/v2/user", user("v2"))
    await sendNoting("/v2/user/createWithArray", `[${user("array")}]`)
    const login = `username=json&password=${password}`
    const logins = [
      await sendNoting(`/api/v3/user/login?${login}`),
      await sendNoting("/api/v3/user/login", `{"username":"json","password":"${password}"}`),
      await sendNoting("/api/v3/user/login", login, { "content-type": formType }),
      await sendNoting(`/api/v3/user/login?${login}`, undefined, xml),
      await sendNoting(`/v2/user/login?${login}`),
      await sendNoting(`/v2/user/login?${login}`, undefined, xml),
    ]
    assert.ok(logins.filter(({ status }) => status === 200).length >= 5)
    for (const path of [`/user/login%3fusername=a&password=${password}`, `/user/login;password=${password}`])
      await sendNoting(`/api/v3${path}`)
    await sendNoting("/api/v3/user", Buffer.from(user("wide"), "utf16le").toString("latin1"), {
      "content-type": "application/json; charset=utf-16le",
    })
    const key = await sendNoting("/api/v3/keys", '{"name":"own","scopes":["read:pets"]}')
    await sendNoting(`/api/v3/keys/${JSON.parse(key.text).id}/rotation`, "{}")
    const hook = await sendNoting("/api/v3/webhooks", `{"url":"http://127.0.0.1:9/j?token\\u003d${password}&x=1"}`)
    await sendNoting(`/api/v3/webhooks/${JSON.parse(hook.text).id}/secret-rotation`, "")
    await sendNoting("/api/v3/webhooks", `{"url":"http://ada:${password}@127.0.0.1:9/"}`)
    await sendNoting("/api/v3/oauth-clients", '{"name":"App","scopes":["read:pets"]}')
    await sendNoting("/oauth/token", "grant_type=client_credentials&scope=read:pets", {
      "content-type": formType,
      authorization: `Basic ${btoa("sample-client-id:sample-client-secret")}`,
    })
    assert.ok([...secrets].some((secret) => /^[\w-]{43}$/.test(secret)) && secrets.size >= 10, `${[...secrets]}`)
    for (const secret of [...secrets].filter((each) => each !== password)) {
      await sendNoting(`/api/v3/pet/1?key=${encodeURIComponent(secret)}`, undefined, {
        "x-key": secret,
        referer: `http://a.example/?%70assword=${password}#code=${secret}`,
        authorization: `Bearer ${secret}`,
      })
      await sendNoting(`/api/v3/keys/${encodeURIComponent(secret)}`)
      await sendNoting("/api/v3/pet", JSON.stringify({ name: `a ${secret}`, photoUrls: [secret] }))
      await sendNoting("/api/v3/pet", `{"name":"\\u0061 ${secret}`)
      await sendNoting("/v2/pet", `<Pet><name>${secret}</name></Pet>`, { "content-type": "application/xml" })
    }
    await sandbox.setFaults({ body: { rules: [{ fault: "webhook=duplicate", match: { times: 1 } }] } })

    const recorded = await sandbox.requests()
    const streamed = await readStream(`${sandbox.url}/api/v3/sandbox/requests/stream?after=0`, recorded.length)
    const logs = await petstoreCommand(sandbox.url, ["logs", "--bodies", "--limit", "1000"])
    const json = await petstoreCommand(sandbox.url, ["logs", "--json", "--limit", "1000"])
    const har = await petstoreCommand(sandbox.url, ["logs", "--har"])
    const admin = await signedIn(petstore, "admin")
    const pages = await Promise.all(
      ["", ...recorded.map(({ id }) => `/${id}`)].map(
        async (part) => (await admin.go(`/console/sandbox/credentials/requests${part}`)).html,
      ),
    )
    const texts = {
      journal: JSON.stringify(recorded),
      streamed,
      logs: logs.out,
      json: json.out,
      har: har.out,
      pages: pages.join(),
    }
    for (const [name, text] of Object.entries(texts)) {
      assert.ok(text.includes("/pet/1"), name)
      for (const secret of secrets) {
        const at = text.indexOf(secret)
        assert.ok(at < 0, `${name} shows ${secret}: ${text.slice(Math.max(0, at - 200), at + 100)}`)
      }
    }
  })

  test("of the headers, the one that was used has the id of the credential", async () => {
    await using open = await startPetstore({ env: { PETSTORE_ANONYMOUS: "special-key" } })
    const own = createSandboxClient({ url: open.url })
    const login = await fetch(`${open.url}/api/v3/user/login?username=user1&password=password1`)
    const bearer = `Bearer ${await login.json()}`
    for (const headers of [
      { api_key: "special-key", authorization: "Bearer" },
      { api_key: "special-key", authorization: bearer },
      { authorization: "Bearer invented" },
      { api_key: "invented" },
    ])
      await fetch(`${open.url}/api/v3/pet/1`, { headers: headers as Record<string, string> })
    const shown = (await own.requests({ operation: "getPetById" })).map(({ request, caller }) => [
      request.headers.api_key,
      request.headers.authorization,
      caller,
    ])
    const session = shown[1]?.[2]
    assert.match(String(session), /^session \d+$/)
    assert.deepEqual(shown, [
      ["key 1", "***", "key 1"],
      ["***", session, session],
      [undefined, "***", "key 1"],
      ["***", undefined, "key 1"],
    ])
  })
})

test("what is no credential is shown byte for byte, also beside one", () => {
  const inJson = (text: string) => withoutSecrets.inBody(text, "application/json", false)
  for (const text of [
    '{"id":9007199254740993,"name":"Token","n":1.0}',
    '{ "a" : [ 1e2, "caf\\u00e9 token" ] ,\n"hasSecret":true, "url":"http://a.example/?page=2" }',
    '{"etag":"\\"0123456789abcdefghijkl\\"","signature":"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="}',
  ])
    assert.equal(inJson(text), text)
  assert.equal(
    inJson('{"id":9007199254740993,"password":"a","n":1.0}'),
    '{"id":9007199254740993,"password":"***","n":1.0}',
  )
  assert.equal(inJson('{"tokens":[{"a":"b"},["c"]],"n" : 1.0}'), '{"tokens":"***","n" : 1.0}')
  const form = "name=Zoë+%C3%A9&b"
  assert.equal(withoutSecrets.inBody(form, formType, false), form)
  assert.equal(withoutSecrets.inQuery(`${form}&password=a&&x`), `${form}&password=***&&x`)
  assert.equal(withoutSecrets.inPath("/pet/%zz/a%20b"), "/pet/%zz/a%20b")
})

/** The text of a stream, until it has had this many requests. */
async function readStream(url: string, count: number): Promise<string> {
  const response = await fetch(url, { headers: { api_key: "special-key" } })
  let text = ""
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    if (text.split("\ndata: ").length > count) break
  }
  return text
}

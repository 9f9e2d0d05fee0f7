import assert from "node:assert/strict"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { UsageError } from "../command/command.ts"
import { saveLogin } from "./logins.ts"
import { connect } from "./service.ts"

const local = "http://127.0.0.1:8080"
const remote = "https://petstore.example"

type Settings = { url?: string; apiKey?: string; token?: string }

/** The connection of a command with these flags and settings, and the headers of its requests. */
async function connected(flags: Record<string, string>, settings: Settings = {}, stateDir = "/nowhere") {
  let sent: Record<string, string> = {}
  let address = ""
  const given = Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value]]))
  const access = {
    settings: { url: local, apiKey: undefined, token: undefined, ...settings },
    stateDir,
    fetch: async (url: string, { headers: of }: { headers: Record<string, string> }) => {
      sent = of
      address = url
      return Response.json({})
    },
  }
  const service = connect(given, access, [])
  await service.client.getInventory()
  const { accept: _, ...headers } = sent
  const { url, isLocal, credential } = service
  assert.equal(address, `${url}/api/v3/store/inventory`)
  return { url, isLocal, ...credential, headers }
}

test("the credential is that of flags, then of settings, then of the login, then the sandbox's on this machine only", async () => {
  using directory = temporaryDirectory()
  saveLogin(directory.path, local, { username: "ada", token: "of-login", expiresAt: null })
  const at = { url: local, isLocal: true }
  const given = { ...at, kind: "given" }
  const all = { apiKey: "set-key", token: "set-token" }
  const cases: [Record<string, string>, Settings, object][] = [
    [{}, {}, { ...at, kind: "login", from: "the login of ada", headers: { authorization: "Bearer of-login" } }],
    [{}, { apiKey: "set-key" }, { ...given, from: "PETSTORE_API_KEY", headers: { api_key: "set-key" } }],
    [{}, { token: "set-token" }, { ...given, from: "PETSTORE_TOKEN", headers: { authorization: "Bearer set-token" } }],
    [
      {},
      all,
      {
        ...given,
        from: "PETSTORE_API_KEY and PETSTORE_TOKEN",
        headers: { api_key: "set-key", authorization: "Bearer set-token" },
      },
    ],
    [
      { "api-key": "key", token: "token" },
      all,
      { ...given, from: "--api-key and --token", headers: { api_key: "key", authorization: "Bearer token" } },
    ],
    [{ "api-key": "key" }, {}, { ...given, from: "--api-key", headers: { api_key: "key" } }],
    [{ token: "token" }, {}, { ...given, from: "--token", headers: { authorization: "Bearer token" } }],
    [
      { account: "7" },
      { url: remote },
      {
        url: remote,
        isLocal: false,
        kind: "none",
        from: "no credential",
        headers: { "petstore-account": "7" },
      },
    ],
    [
      {},
      { url: "http://localhost:8080" },
      {
        url: "http://localhost:8080",
        isLocal: true,
        kind: "public",
        from: "the sandbox's special-key",
        headers: { api_key: "special-key" },
      },
    ],
  ]
  for (const [flags, settings, expected] of cases)
    assert.deepEqual(await connected(flags, settings, directory.path), expected)
})

test("an address is without the base path and trailing slashes", async () => {
  const urlOf = async (flags: Record<string, string>, url = local) => (await connected(flags, { url })).url
  assert.equal(await urlOf({}, `${local}/api/v3//`), local)
  assert.equal(await urlOf({}, `${local}/shop///`), `${local}/shop`)
  assert.equal(await urlOf({ url: `${remote}/s/one/api/v3` }), `${remote}/s/one`)
  for (const host of ["localhost", "127.0.0.1", "127.9.8.7", "[::1]"])
    assert.equal((await connected({ url: `http://${host}:1` })).isLocal, true, host)
  for (const host of ["localhost.example", "petstore.example", "[::2]", "10.127.0.1"])
    assert.equal((await connected({ url: `http://${host}:1` })).isLocal, false, host)
})

test("an address, an account and a credential that cannot be are refused before any request", async () => {
  const refusals: [Record<string, string>, string][] = [
    ...[
      "petstore",
      "ftp://a",
      "xhttp://a",
      "httpsx://a",
      "http://user@a",
      "http://:secret@a",
      "http://a/?q",
      "http://a/#f",
    ].map((url): [Record<string, string>, string] => [
      { url },
      `${JSON.stringify(url)} is not a valid service address, such as http://127.0.0.1:8080`,
    ]),
    ...["0", "01", "-1", "1a", "", "1234567890123456"].map((account): [Record<string, string>, string] => [
      { account },
      `--account is ${JSON.stringify(account)}; it must be the id of an account`,
    ]),
    ...["two words", "", "é", "a\u007f"].flatMap((secret) =>
      ["api-key", "token"].map((flag): [Record<string, string>, string] => [
        { [flag]: secret },
        "the credential contains an invalid character; check that it was copied correctly",
      ]),
    ),
  ]
  for (const [flags, message] of refusals) await assert.rejects(connected(flags), new UsageError(message))
  const { headers } = await connected({ account: "123456789012345", "api-key": "!~" })
  assert.deepEqual(headers, { api_key: "!~", "petstore-account": "123456789012345" })
})

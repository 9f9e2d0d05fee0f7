import assert from "node:assert/strict"
import { test } from "node:test"
import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"
import { namedRequestPage, requestPage } from "./request.ts"

const recorded: RecordedRequest = {
  id: 7,
  time: "2026-01-01T00:00:00.000Z",
  durationMs: 3,
  method: "GET",
  path: "/api/v3/pet/1?a='b'",
  status: 200,
  request: { headers: {} },
  response: { headers: {} },
}

/** The page of a recorded request. */
async function shown(changed: Partial<RecordedRequest>, name?: string) {
  const keys: number[] = []
  const call = {
    getRequest: async () => ({ value: { ...recorded, ...changed } }),
    async getKey({ params: { id } }: { params: { id: number } }) {
      keys.push(id)
      if (id !== 1) throw new Problem("key-not-found", "No")
      return { value: { id, name: "Import", scopes: ["read:pets", "admin"] } }
    },
  }
  const at = name === undefined ? "/requests/7" : `/sandbox/${name}/requests/7`
  const visit = {
    sandbox: async () => call,
    params: { requestId: "7", name },
    root: "/console",
    path: at,
    query: new URLSearchParams(),
    token: "T",
    service: { now: () => 0, publicUrl: () => "https://pets.example" },
  } as unknown as Visit
  const { text } = await (name === undefined ? requestPage : namedRequestPage).show(visit)
  const facts = [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, fact]) => [term, fact])
  const [curl = ""] = /data-copy="(curl .*?)"/.exec(text)?.slice(1) ?? []
  return {
    text,
    keys,
    facts: Object.fromEntries(facts) as Record<string, string>,
    curl: curl.replaceAll("&#39;", "'").replaceAll("&quot;", '"'),
    messages: [...text.matchAll(/<h2>(Request|Response)<\/h2>\s*(.*?)(?=<h2>|<\/div>)/gs)].map(([, , part]) => part),
    back: /<p class="back"><a href="(.*?)">/.exec(text)?.[1],
  }
}

test("a message has its headers and its body, and says what is not recorded of it", async () => {
  const body = "{}".padEnd(9)
  const { messages } = await shown({
    request: { headers: { accept: "*/*", "x-a": "b" }, body, isTruncated: true },
    response: { headers: {}, isTruncated: true },
  })
  const [request = "", response = ""] = messages
  assert.match(request, /^<pre class="wrap">accept: \*\/\*\nx-a: b<\/pre>\s*<pre class="wrap">\{\}<\/pre><button/)
  assert.match(request, /<p class="soft">These are the first 16 KiB of the body\.<\/p>\s*$/)
  assert.equal(response.trim(), '<pre class="wrap">No headers</pre>\n<p class="soft">No body is recorded.</p>')
  const [, whole = ""] = (await shown({ response: { headers: {}, body: "no <JSON>" } })).messages
  assert.match(whole, /<pre class="wrap">no &lt;JSON&gt;<\/pre>/)
  assert.doesNotMatch(whole, /16 KiB/)
})

test("the credential is the key of the account, by its name; another one is shown as it was recorded", async () => {
  const known = await shown({ caller: "key 1" })
  assert.equal(known.facts.Credential, '<a href="/console/keys/1">Import</a> (key 1)')
  assert.equal(known.facts.Scopes, "read:pets, admin")
  const named = await shown({ caller: "key 1" }, "mine")
  assert.equal(named.facts.Credential, '<a href="/console/../s/mine/console/keys/1">Import</a> (key 1)')
  assert.deepEqual([known.back, named.back], ["/console/requests", "/console/sandbox/mine/requests"])
  for (const caller of ["key 2", "session 1", "key x"]) {
    const { facts, keys } = await shown({ caller })
    assert.deepEqual([facts.Credential, facts.Scopes], [caller, undefined])
    assert.deepEqual(keys, caller === "key 2" ? [2] : [])
  }
  assert.equal((await shown({})).facts.Credential, undefined)
})

test("a problem leads to its page", async () => {
  const problemOf = async (problem?: string) => (await shown(problem === undefined ? {} : { problem })).facts.Problem
  assert.equal(await problemOf(), undefined)
  assert.equal(await problemOf("overloaded"), '<a href="/console/../problems/overloaded">overloaded</a>')
})

test("the windows of the plan are those of the response", async () => {
  const ratelimit = '"minute";r=7;t=9, "day";r=70;t=900'
  const { facts } = await shown({ response: { headers: { ratelimit } } })
  assert.equal(facts.Limits, "7 left of the minute, more in 9 s; 70 left of the day, more in 900 s")
  assert.equal((await shown({ response: { headers: { ratelimit: "x" } } })).facts.Limits, undefined)
  assert.equal((await shown({})).facts.Limits, undefined)
})

test("a request is copied as a command, with the key of the reader if it had a credential", async () => {
  const url = "/api/v3/pet/1?a='\\''b'\\'''"
  assert.equal((await shown({})).curl, `curl -X GET 'https://pets.example${url}`)
  assert.equal((await shown({}, "mine")).curl, `curl -X GET 'https://pets.example/s/mine${url}`)
  const request = { headers: { accept: "*/*", api_key: "***" }, body: "it's" }
  assert.equal(
    (await shown({ request })).curl,
    `curl -X GET 'https://pets.example${url} -H "api_key: $PETSTORE_KEY" -H 'accept: */*' --data-raw 'it'\\''s'`,
  )
})

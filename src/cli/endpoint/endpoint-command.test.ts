import assert from "node:assert/strict"
import { test } from "node:test"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { Type } from "../../kernel/schema/type.ts"
import { UsageError, type World } from "../command/command.ts"
import { endpointCommand } from "./endpoint-command.ts"

const endpoint: Endpoint = {
  method: "POST",
  path: "/things/{thingId}",
  summary: "Change a thing",
  tag: "things",
  command: "things change",
  scope: "open",
  params: Type.Object({ thingId: Type.Enum(["a", "b"], { description: "The thing" }) }),
  response: Type.Object({}),
  status: 200,
  problems: [],
}

type Given = { secrets?: string[]; stdin?: string }

/** What a command asks and sends; `secrets` are entered at a prompt, without them there is none. */
async function sentBy(changed: Partial<Endpoint>, flags: Record<string, string>, { secrets = [], stdin = "" }: Given) {
  const asked: string[] = []
  const askSecret = async (question: string) => secrets[asked.push(question) - 1] ?? ""
  const { terminal } = recordTerminal({ stdin, ...(secrets.length > 0 && { askSecret }) })
  const requests: object[] = []
  const changeThing = async (request: object) => {
    requests.push(request)
    return { value: {}, text: "{}", status: 200, headers: new Headers() }
  }
  const world = { terminal, json: false, service: { client: { changeThing } } } as unknown as World
  const given = Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value]]))
  await endpointCommand("changeThing", { ...endpoint, ...changed }).run(
    { arguments: { "thing-id": "a" }, flags: given, rest: [] },
    world,
  )
  return { asked, requests }
}

test("a command has the arguments of the path, and the flags of what the endpoint takes and lists", () => {
  const describe = (changed: Partial<Endpoint>) => {
    const { name, summary, arguments: taken, flags } = endpointCommand("changeThing", { ...endpoint, ...changed })
    return { name, summary, taken, flags: flags.map((flag) => flag.name) }
  }
  const plain = {
    name: "things change",
    summary: "Change a thing",
    taken: [{ name: "thing-id", meaning: "The thing", choices: ["a", "b"] }],
    flags: [],
  }
  const listOf = (...names: string[]) =>
    Type.Array(Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))))
  assert.deepEqual(describe({}), plain)
  assert.deepEqual(describe({ response: listOf("name") }).flags, ["columns", "csv"])
  assert.deepEqual(describe({ response: listOf("name", "size"), paged: true }).flags, [
    "limit",
    "cursor",
    "all",
    "columns",
    "csv",
  ])
  assert.deepEqual(describe({ response: Type.Array(Type.String()) }).flags, [])
  const body = Type.Object({ name: Type.String() })
  assert.deepEqual(describe({ body, idempotent: "by-key" }).flags, ["name", "idempotency-key", "body"])
})

const password = Type.String({ format: "password" })

test("each missing secret is read at a prompt, or a single one from standard input", async () => {
  const one = Type.Object({ name: Type.String(), password })
  const two = Type.Object({ oldPassword: password, newPassword: password })
  const sent = (body: object) => [{ params: { thingId: "a" }, query: {}, body }]
  assert.deepEqual(await sentBy({ body: two }, {}, { secrets: ["old\n", "new"] }), {
    asked: ["oldPassword: ", "newPassword: "],
    requests: sent({ oldPassword: "old", newPassword: "new" }),
  })
  assert.deepEqual(await sentBy({ body: two }, { "old-password": "given" }, { secrets: ["new"] }), {
    asked: ["newPassword: "],
    requests: sent({ oldPassword: "given", newPassword: "new" }),
  })
  assert.deepEqual(await sentBy({ body: two }, { "old-password": "given" }, { stdin: "new\n" }), {
    asked: [],
    requests: sent({ oldPassword: "given", newPassword: "new" }),
  })
  assert.deepEqual(await sentBy({ body: one }, { name: "A" }, { stdin: "secret" }), {
    asked: [],
    requests: sent({ name: "A", password: "secret" }),
  })
  await assert.rejects(
    sentBy({ body: two }, {}, { stdin: "old\nnew" }),
    new UsageError("the body is missing oldPassword and newPassword; set --old-password and --new-password, or --body"),
  )
  await assert.rejects(
    sentBy({ body: one }, {}, { secrets: ["secret"] }),
    new UsageError("the body is missing name; set --name, or --body"),
  )
})

test("a secret is not read that is in the query, may be missing, or is in a body that is given", async () => {
  const query = Type.Object({ password })
  const body = Type.Object({ password: Type.Optional(password) })
  for (const [changed, flags, expected] of [
    [{ query }, {}, { query: {} }],
    [{ body }, {}, { query: {}, body: {} }],
    [{ body: Type.Object({ password }) }, { body: '{"password":"x"}' }, { query: {}, body: { password: "x" } }],
  ] as const)
    assert.deepEqual(await sentBy(changed, flags, { secrets: ["unused"] }), {
      asked: [],
      requests: [{ params: { thingId: "a" }, ...expected }],
    })
})

import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { UsageError } from "../command/command.ts"
import { readBodyFlag, readFileFlag } from "./body.ts"
import { requestFields } from "./endpoint-flags.ts"

const endpoint: Endpoint = {
  method: "POST",
  path: "/things",
  summary: "Add a thing",
  tag: "things",
  command: "things add",
  scope: "open",
  body: Type.Object({
    name: Type.String(),
    photoUrls: Type.Array(Type.String()),
    category: Type.Object({}),
    owner: Type.Object({}),
    age: Type.Optional(Type.Integer()),
  }),
  response: Type.Object({}),
  status: 201,
  problems: [],
}
const flags = requestFields(endpoint).map(({ flag }) => flag)
const input = (given: Record<string, string>) => ({
  arguments: {},
  flags: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value]])),
  rest: [],
})
const read = (given: Record<string, string>, fields: Record<string, unknown> = {}, stdin: string | Uint8Array = "") =>
  readBodyFlag(endpoint, flags, fields, input(given), recordTerminal({ stdin }).terminal)

test("a body is in its flag, in a file or on standard input, and flags replace its fields", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "body.json")
  writeFileSync(file, '{"name":"in a file"}')
  assert.deepEqual(await read({ body: '{"name":"in a flag","age":3}' }), { name: "in a flag", age: 3 })
  assert.deepEqual(await read({ body: `@${file}` }), { name: "in a file" })
  assert.deepEqual(await read({ body: "-" }, {}, '{"name":"on standard input"}'), { name: "on standard input" })
  assert.deepEqual(await read({ body: '{"name":"A","age":3}' }, { name: "B" }), { name: "B", age: 3 })
  assert.deepEqual(await read({ body: "[1]" }), [1])
  const whole = { name: "A", photoUrls: [], category: {}, owner: {} }
  assert.deepEqual(await read({}, whole), whole)
})

test("a body that is no JSON, no object or no file is refused", async () => {
  for (const body of ["[1]", "null", '"text"', "1"])
    await assert.rejects(
      read({ body }, { name: "A" }),
      new UsageError("flags can replace fields only if --body is a JSON object"),
    )
  await assert.rejects(read({ body: "{" }), /^Error: --body is not valid JSON in UTF-8: /)
  await assert.rejects(
    read({ body: "-" }, {}, Buffer.from([0x22, 0xff, 0x22])),
    /^Error: --body is not valid JSON in UTF-8/,
  )
  await assert.rejects(read({ body: "@/nowhere" }), new UsageError("--body cannot be read: /nowhere does not exist"))
})

test("without a body the fields that it must have are named with their flags", async () => {
  await assert.rejects(
    read({}),
    new UsageError(
      "the body is missing name and photoUrls and category and owner; " +
        'set --name and --photo-urls (repeated for several, "" for none) and --body, or --body',
    ),
  )
  await assert.rejects(
    read({}, { name: "A", category: {}, owner: {} }),
    new UsageError('the body is missing photoUrls; set --photo-urls (repeated for several, "" for none), or --body'),
  )
  await assert.rejects(
    read({}, { name: 1, category: {}, owner: {} }),
    new UsageError(
      'the body is missing photoUrls; set --photo-urls (repeated for several, "" for none), or --body; --name must be a string',
    ),
  )
  const { terminal } = recordTerminal()
  const list = { ...endpoint, body: Type.Array(Type.String()) }
  await assert.rejects(readBodyFlag(list, [], {}, input({}), terminal), new UsageError("--body is missing"))
  const none = { ...endpoint, body: Type.Object({ age: Type.Optional(Type.Integer()) }) }
  assert.deepEqual(await readBodyFlag(none, [], {}, input({}), terminal), {})
})

test("a file to upload is read from its path or standard input", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "-.bin")
  writeFileSync(file, Buffer.from([1, 2, 3]))
  const { terminal } = recordTerminal({ stdin: Buffer.from([4, 5]) })
  assert.deepEqual(await readFileFlag(input({ file }), terminal), new Uint8Array([1, 2, 3]))
  assert.deepEqual(await readFileFlag(input({ file: "-" }), terminal), new Uint8Array([4, 5]))
  await assert.rejects(readFileFlag(input({}), terminal), new UsageError("--file is missing"))
  await assert.rejects(
    readFileFlag(input({ file: directory.path }), terminal),
    new UsageError(`--file cannot be read: ${directory.path} is a directory`),
  )
})

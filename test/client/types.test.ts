import assert from "node:assert/strict"
import { test } from "node:test"
import type { Client } from "../../src/client/client.ts"
import type { PetstoreClient } from "../../src/client/petstore-client.ts"
import type { ApiContract } from "../../src/core/domain/api.ts"
import { openLanguageServer } from "../harness/language-server.ts"

type Derived = Client<ApiContract>
type Input<Method> = Method extends (...args: infer Args) => unknown ? Args[0] : never
type Value<Method> = Method extends (...args: never) => Promise<{ value: infer V }> ? V : never
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** The operations whose generated types differ from those that the contract implies. */
type Different = {
  [Name in keyof Derived]: Name extends keyof PetstoreClient
    ? [
        Same<Input<Derived[Name]>, Input<PetstoreClient[Name]>>,
        Same<Value<Derived[Name]>, Value<PetstoreClient[Name]>>,
      ] extends [true, true]
      ? never
      : Name
    : Name
}[keyof Derived]

// Compared by the compiler: a difference is an error that names the operations.
const different: [Different] extends [never] ? "none" : Different = "none"

test("an editor shows a method of the client in three lines, with what it does, needs and may be refused with (slow)", async () => {
  assert.equal(different, "none")
  await using editor = await openLanguageServer(
    "examples/typed.ts",
    `import { createPetstoreClient } from "../src/public/client.ts"
const store = createPetstoreClient({ url: "http://127.0.0.1:8080" })
store.addPet({ body: { name: 1, photoUrls: [] } })
`,
  )
  const [code = "", documentation = ""] = (await editor.hover("addPet")).split("```\n")
  assert.match(code, /addPet\(input: .*options\?: CallOptions\): Promise<ClientResponse<Pet>>/s)
  assert.ok(
    code
      .replace(/^```\w*\n/, "")
      .trim()
      .split("\n").length <= 3,
    code,
  )
  assert.match(documentation, /Add a pet to the store\..*`write:pets`.*`pet-exists`/s)
  const errors = await editor.errors()
  assert.deepEqual(errors, ["Type 'number' is not assignable to type 'string'."])
})

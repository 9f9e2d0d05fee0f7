import assert from "node:assert/strict"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

test("--account of the command line acts for the account", async () => {
  const { value } = await petstore.as("special-key").createAccount({ body: { name: "Acme", plan: "pro" } })
  const { id } = value
  const { out } = await petstoreCommand(petstore.url, ["account", "get", "--account", String(id), "--json"])
  assert.equal(JSON.parse(out).id, id)
  const wrong = await petstoreCommand(petstore.url, ["account", "get", "--account", "Acme"])
  assert.deepEqual([wrong.code, /--account is "Acme"/.test(wrong.err)], [2, true])
})

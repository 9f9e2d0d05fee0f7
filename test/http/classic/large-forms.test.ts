import assert from "node:assert/strict"
import { test } from "node:test"
import { keySender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
const send = keySender(petstore)

function multipart(...pairs: [string, string][]): FormData {
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

test("a form with more items than a pet may have is refused for their number, and before that for too many parts", async () => {
  const tags = (count: number) => Array.from({ length: count }, () => ["tags", '{"name":"a"}'] as [string, string])
  const many = await send("POST", "/pet", multipart(["name", "a"], ...tags(51)))
  assert.deepEqual(
    { status: many.status, errors: many.value.errors },
    { status: 422, errors: [{ ...tooMany, detail: "must have 50 items or fewer" }] },
  )
  const parts = await send("POST", "/pet", multipart(["name", "a"], ...tags(256)))
  assert.deepEqual({ status: parts.status, code: parts.value.code }, { status: 400, code: "malformed-request" })
})

const tooMany = { pointer: "/tags", code: "too-many" }

import assert from "node:assert/strict"
import { test } from "node:test"
import { keySender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const send = keySender(petstore)

async function ask(path: string, prefer?: string, method = "GET") {
  const { status, value, headers } = await send(method, path, undefined, prefer === undefined ? {} : { prefer })
  const { code, detail, errors } = value as { code?: unknown; detail?: unknown; errors?: unknown[] }
  return { status, applied: headers.get("preference-applied"), code, detail, errors }
}

test("an unknown query parameter is ignored, and refused with strict handling", async () => {
  assert.equal((await ask("/pet?stauts=sold")).status, 200)
  const refused = await ask("/pet?stauts=sold&limit=1&x=1&x=2", "handling=strict")
  assert.deepEqual(
    { status: refused.status, code: refused.code, applied: refused.applied },
    { status: 400, code: "invalid-parameter", applied: "handling=strict" },
  )
  assert.equal(refused.detail, "stauts is not a parameter of this operation; did you mean status? (and 1 more)")
  assert.equal(refused.errors?.length, 2)
  for (const path of ["/pet/1?", "/store/inventory?", "/pet/findByStatus?status=sold&"])
    assert.deepEqual(
      {
        strict: (await ask(`${path}nope=1`, "handling=strict")).status,
        lenient: (await ask(`${path}nope=1`)).status,
      },
      { strict: 400, lenient: 200 },
      path,
    )
  assert.equal((await ask("/pet/1?name=Rex&status=available&staus=sold", "handling=strict", "POST")).status, 400)
})

test("strict handling changes nothing for known parameters, and reports that it was applied", async () => {
  for (const path of [
    "/pet?status=sold&name=a&sort=name&limit=2",
    "/pet/1",
    "/store/order?sort=id&petId=5&",
    "/user?",
  ]) {
    const { status, applied } = await ask(path, "handling=strict")
    assert.deepEqual({ status, applied }, { status: 200, applied: "handling=strict" }, path)
  }
})

test("the first preference named handling decides, among others, quoted or not", async () => {
  for (const [prefer, status] of [
    ["respond-async, Handling=strict; x=y, wait=0", 400],
    ['handling = "strict"', 400],
    ["handling=strict, handling=lenient", 400],
    ["handling=lenient, handling=strict", 200],
    ["handling, handling=strict", 200],
    ['foo="a, handling=strict"', 200],
    ["handling=strictly", 200],
    ["xhandling=strict", 200],
    ["", 200],
    [`${'"'.repeat(4001)},handling=strict`, 400],
  ] as const)
    assert.equal((await ask("/pet/1?nope=1", prefer)).status, status, prefer)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { changeJson, changeResponse, type Handling } from "./defect.ts"

/** Whether this changes a response with this status. */
async function changes(handling: Handling, status: number): Promise<boolean> {
  const response = { status, headers: [], body: "{}" }
  return (await handling(exchangeOf("/pet"), async () => response, new Map())) !== response
}

test("only a success is changed", async () => {
  const statuses = [200, 299, 300, 404]
  for (const handling of [changeJson(() => []), changeResponse(() => ({ status: 500, headers: [], body: "" }))])
    assert.deepEqual(await Promise.all(statuses.map((status) => changes(handling, status))), [true, true, false, false])
  assert.equal(
    await changeResponse(() => assert.fail())(exchangeOf("/pet"), async () => undefined, new Map()),
    undefined,
  )
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { api } from "../domain/api.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { type ServiceClient, WrongArguments } from "./tool.ts"
import { allTools, chooseTools } from "./tools.ts"

const everyScope = new Set(allTools().map(({ scope }) => scope))
const toolNamed = (name: string) => {
  const tool = allTools().find(({ listed }) => listed.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}
const namesOf = (tools: readonly { listed: { name: string } }[]) => tools.map(({ listed }) => listed.name).sort()

test("a caller is offered the tools of its scopes, the usual ones or those of the named toolsets", () => {
  const offered = (choice: Partial<Parameters<typeof chooseTools>[0]>) =>
    namesOf(chooseTools({ scopes: everyScope, isSandbox: true, toolsets: undefined, ...choice }))
  const sandboxTools = ["advance", "requests", "reset", "trigger"]
  const usual = offered({})
  assert.equal(usual.length, 20)
  assert.deepEqual(
    offered({ isSandbox: false }),
    usual.filter((name) => !sandboxTools.includes(name)),
  )
  assert.deepEqual(offered({ scopes: new Set(["read:orders"]) }), [
    "getInventory",
    "getOrderById",
    "getOwnAccount",
    "listOrders",
  ])
  assert.deepEqual(offered({ toolsets: new Set(["sandbox"]), isSandbox: false }), [])
  assert.ok(offered({ toolsets: new Set(["sandbox"]) }).includes("trigger"))
  const orders = offered({ toolsets: new Set(["orders"]) })
  assert.ok(orders.includes("placeOrder") && !orders.includes("addPet"))
})

test("uploads, streams and deprecated operations are no tools, and the list is made once", () => {
  const names = namesOf(allTools())
  const left = Object.entries<Endpoint>(api).filter(([, one]) => one.upload || one.streams || one.deprecated)
  assert.ok(left.length >= 3)
  for (const [name] of left) assert.ok(!names.includes(name), name)
  assert.equal(allTools(), allTools())
})

test("hints say what a tool does where that is not the default", () => {
  for (const [name, hints] of [
    ["getPetById", { readOnlyHint: true }],
    ["deletePet", { idempotentHint: true }],
    ["updatePet", { idempotentHint: true }],
    ["addPet", { destructiveHint: false }],
    ["patchPet", {}],
    ["reset", {}],
  ] as const)
    assert.deepEqual(toolNamed(name).listed.annotations, hints, name)
})

test("a tool has its arguments, and the cursor of a list is that of its result", () => {
  const { inputSchema, outputSchema, description } = toolNamed("listPets").listed
  const describing = Object.entries(inputSchema.properties ?? {}).filter(([, schema]) =>
    JSON.stringify(schema).includes("`nextCursor` of the page before"),
  )
  assert.deepEqual(
    describing.map(([name]) => name),
    ["cursor"],
  )
  assert.deepEqual(Object.keys(outputSchema?.properties ?? {}), ["items", "nextCursor"])
  assert.match(description ?? "", /^\S/)
  assert.deepEqual(toolNamed("getPetById").listed.inputSchema.required, ["petId"])
})

/** Calls a tool with a client whose operations respond with this value. */
const call = (name: string, values: object, value: unknown, headers: Record<string, string> = {}) => {
  const asked: unknown[] = []
  const client = new Proxy(
    {},
    {
      get: (_, operation) => async (request: object) => {
        asked.push(operation, request)
        return { value, headers: new Headers(headers) }
      },
    },
  )
  return toolNamed(name)
    .run(client as ServiceClient, values as Record<string, unknown>)
    .then((result) => ({ asked, result }))
}

test("a call is a request of the operation, and its result an object", async () => {
  const pet = await call("getPetById", { petId: 1 }, { id: 1 })
  assert.deepEqual(pet, { asked: ["getPetById", { params: { petId: 1 }, query: {} }], result: { id: 1 } })
  assert.deepEqual((await call("getPetById", { petId: 1 }, "text")).result, { value: "text" })
  assert.deepEqual((await call("getPetById", { petId: 1 }, null)).result, { value: null })
  const link = { link: '<http://a/api/v3/pets?cursor=abc>; rel="next"' }
  assert.deepEqual((await call("listPets", {}, [{ id: 1 }], link)).result, { items: [{ id: 1 }], nextCursor: "abc" })
  assert.deepEqual((await call("listPets", {}, [])).result, { items: [], nextCursor: undefined })
  assert.equal(
    (await call("advance", { duration: "PT1S", by: "PT1S" }, {}).catch((error) => error)) instanceof WrongArguments,
    true,
  )
})

test("wrong arguments are refused before anything is sent", async () => {
  await assert.rejects(call("getPetById", { pet: 1 }, {}), (error) => {
    assert.ok(error instanceof WrongArguments)
    assert.match(error.message, /^pet is not an argument of this tool.*\npetId is required$/)
    return true
  })
})

test("an event that cannot be triggered is refused", async () => {
  await assert.rejects(call("trigger", { event: "pet.none" }, {}), /^Error: event must be one of /)
  await assert.rejects(call("trigger", { event: 1 }, {}), WrongArguments)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { pathsMadeBy } from "./made.ts"

test("what a request made is below its path, by the name in its body or in the response, numbers as they were written", () => {
  for (const [method, path, bodies, paths] of [
    ["POST", "/pet", ['{"id":7}', '{"category":{"id":1},"id":9007199254740993}'], ["/pet/7", "/pet/9007199254740993"]],
    ["PUT", "/pet", ['{"id":0}', ""], ["/pet/0"]],
    ["POST", "/pet", ["<pet><id>-7</id><category><id>1</id></category></pet>", "Added"], ["/pet/-7"]],
    ["POST", "/pet", ["name=Rex&id=8", "id=9"], ["/pet/8", "/pet/9"]],
    ["POST", "/store/order", ["{}", '{"id":3,"petId":7}'], ["/store/order/3"]],
    ["POST", "/webhooks", ["", '{"id":"a/b"}'], ["/webhooks/a%2Fb"]],
    ["POST", "/user/createWithList", ['[{"username":"a"},null,{"username":""}]', "[]"], ["/user/a"]],
    ["POST", "/pet", ["null", "[1]", '"id"', '{"id":null}', '{"id":"'], []],
    ["DELETE", "/pet", ['{"id":7}'], []],
    ["POST", "/pet/7/uploadImage", ['{"id":7}'], []],
  ] as const)
    assert.deepEqual(pathsMadeBy(method, path, bodies), paths, `${method} ${path} ${bodies}`)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { api } from "../../domain/api.ts"
import { faultTargets } from "./targets.ts"

test("a path that only v2 has is one of its operation where there is v2", () => {
  const pathsOf = (hasV2: boolean, name: string) => [...(faultTargets(api, hasV2).get(name)?.paths ?? [])]
  assert.deepEqual(pathsOf(true, "createUsersWithListInput"), ["/user/createWithList", "/user/createWithArray"])
  assert.deepEqual(pathsOf(false, "createUsersWithListInput"), ["/user/createWithList"])
  for (const hasV2 of [true, false]) assert.deepEqual(pathsOf(hasV2, "getPetById"), ["/pet/{petId}"])
})

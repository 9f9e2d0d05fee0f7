import assert from "node:assert/strict"
import { test } from "node:test"
import { signInHelp } from "./sign-in-help.ts"

test("a sign-in page offers the sample users, or knows whether there is any user", async () => {
  const asked: object[] = []
  const help = (people: number, users: number) => {
    const list = async (page: object) => {
      asked.push(page)
      return { items: Array.from({ length: users }, () => ({})) }
    }
    const sample = { role: "staff", username: "user10", password: "p" } as const
    return signInHelp({ users: { list } } as never, Array(people).fill(sample))
  }
  const { people, hasUsers } = await help(1, 0)
  assert.deepEqual([people.length, hasUsers, asked], [1, true, []])
  assert.deepEqual(await help(0, 0), { people: [], hasUsers: false })
  assert.deepEqual(await help(0, 1), { people: [], hasUsers: true })
  assert.deepEqual(asked, Array(2).fill({ limit: 1, sort: "id", after: undefined }))
})

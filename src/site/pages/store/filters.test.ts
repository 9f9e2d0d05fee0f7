import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyList, petWith } from "../../../../test/harness/shop.ts"
import { filters } from "./filters.ts"
import type { ListView } from "./views.ts"

/** What is above the list of a store: its form, its filters and orders as links, and the number of its pets. */
function shown(view: Partial<ListView>) {
  const { text } = filters({ ...emptyList, ...view })
  const [before = "", nav = ""] = text.split("<nav")
  const links = [...nav.matchAll(/<a href="\.\/([^"]*)"( aria-current="true")?>([^<]*)/g)]
  const shownLinks = links.map(([, query = "", isUsed, words]) => [
    words,
    query.replaceAll("&amp;", "&"),
    ...(isUsed === undefined ? [] : ["used"]),
  ])
  const chips = shownLinks.filter(([words = ""]) => !/^(Newest|Oldest|A–Z|Z–A)$/.test(words))
  return {
    form: [...before.matchAll(/name="(\w+)"(?: value="([^"]*)")?/g)].map(([, name, value]) => [name, value]),
    alarm: /role="alert"[^>]*>([^<]*)/.exec(before)?.[1],
    statuses: chips.slice(0, 3),
    labels: chips.slice(3),
    sorts: shownLinks.filter((link) => !chips.includes(link)),
    found: /<p class="found"><span>(.*?)<\/span>/.exec(text)?.[1],
  }
}

test("the number of pets is that of all that match, with those that are shown", () => {
  const found = (count: number, isExact: boolean, filter: ListView["filter"] = {}) =>
    shown({ pets: [petWith(1), petWith(2)], total: { count, isExact }, filter }).found
  assert.equal(found(2, true), "2 pets")
  assert.equal(found(3, true), "2 of 3 pets")
  assert.equal(found(3, false), "2 of more than 3 pets")
  assert.equal(found(2, true, { status: "sold", category: "Dogs", tag: "calm" }), "2 pets, sold, in Dogs, tagged calm")
  assert.equal(found(2, true, { name: "Re" }), "2 pets, named Re…")
  assert.equal(shown({}).found, "")
})

test("the four most frequent categories and tags of the page are offered, equal ones by name, after the chosen one", () => {
  const named = (name: string) => ({ id: 1, name })
  const names = ["B", "B", "C", "A", "D", "E"]
  const words = (view: Partial<ListView>) => shown(view).labels.map(([words]) => words)
  const dogs = names.map((name, n) => petWith(n, { category: named(name) }))
  const calm = [petWith(1, { tags: names.map(named) }), petWith(2)]
  for (const [pets, kind] of [
    [dogs, "category"],
    [calm, "tag"],
  ] as const) {
    assert.deepEqual(words({ pets }), ["B", "A", "C", "D"])
    assert.deepEqual(words({ pets, filter: { [kind]: "F" } }), ["F", "B", "A", "C"])
    assert.deepEqual(words({ pets, filter: { [kind]: "D" } }), ["D", "B", "A", "C"])
    assert.deepEqual(shown({ pets, filter: {} }).labels[0], ["B", `?${kind}=B`])
  }
  assert.deepEqual(words({}), [])
})

test("a filter adds to the others or is removed; a category and a tag do not combine with a name", () => {
  assert.deepEqual(shown({}).statuses, [
    ["available", "?status=available"],
    ["pending", "?status=pending"],
    ["sold", "?status=sold"],
  ])
  const byName = shown({ filter: { status: "sold", name: "Re", sort: "-name" } })
  assert.deepEqual(byName.statuses, [
    ["available", "?status=available&name=Re&sort=-name"],
    ["pending", "?status=pending&name=Re&sort=-name"],
    ["sold", "?name=Re&sort=-name", "used"],
  ])
  const pets = [petWith(1, { category: { id: 1, name: "Dogs" }, tags: [{ id: 1, name: "calm" }] })]
  const labels = (filter: ListView["filter"]) => shown({ pets, filter }).labels
  assert.deepEqual(labels({ name: "Re", status: "sold", sort: "name" }), [
    ["Dogs", "?status=sold&category=Dogs"],
    ["calm", "?status=sold&tag=calm"],
  ])
  assert.deepEqual(labels({ category: "Dogs", sort: "id" }), [
    ["Dogs", "?sort=id", "used"],
    ["calm", "?category=Dogs&sort=id&tag=calm"],
  ])
})

test("the orders are those that the filters allow, and the first one is used unless another is chosen", () => {
  const sorts = (filter: ListView["filter"]) => shown({ filter }).sorts
  assert.deepEqual(sorts({}), [
    ["Newest", "?sort=-id", "used"],
    ["Oldest", "?sort=id"],
    ["A–Z", "?sort=name"],
    ["Z–A", "?sort=-name"],
  ])
  assert.deepEqual(sorts({ name: "Re" }), [
    ["A–Z", "?name=Re&sort=name", "used"],
    ["Z–A", "?name=Re&sort=-name"],
  ])
  for (const kind of ["category", "tag"])
    assert.deepEqual(sorts({ [kind]: "a", sort: "id" }), [
      ["Newest", `?${kind}=a&sort=-id`],
      ["Oldest", `?${kind}=a&sort=id`, "used"],
    ])
})

test("the search keeps the status and shows the name, and the reason of a refusal", () => {
  assert.deepEqual(shown({}).form, [["name", ""]])
  const { form, alarm } = shown({ filter: { status: "sold", name: "Re", tag: "a" }, refusal: "cursor is unknown" })
  assert.deepEqual(form, [
    ["status", "sold"],
    ["name", "Re"],
  ])
  assert.deepEqual([alarm, shown({}).alarm], ["cursor is unknown", undefined])
})

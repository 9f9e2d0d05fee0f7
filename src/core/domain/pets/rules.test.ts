import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Pet, PetDraft, PetForm, PetPatch } from "./contract.ts"
import { applyPatch, asksForChange, composePet, contradictions, labelsOf } from "./rules.ts"

const ids = {
  categories: new Map([["Dogs", 1]]),
  tags: new Map([
    ["a", 10],
    ["b", 11],
  ]),
}

describe("compose", () => {
  const cases: [string, PetDraft, Pet][] = [
    [
      "fills in the ids of category and tags",
      { name: "n", photoUrls: ["u"], category: { name: "Dogs" }, tags: [{ name: "a" }, { name: "b" }] },
      {
        id: 5,
        category: { id: 1, name: "Dogs" },
        name: "n",
        photoUrls: ["u"],
        tags: [
          { id: 10, name: "a" },
          { id: 11, name: "b" },
        ],
        status: "sold",
      },
    ],
    [
      "leaves out a category that is not there",
      { name: "n", photoUrls: [] },
      { id: 5, name: "n", photoUrls: [], tags: [], status: "sold" },
    ],
    [
      "stores equal tags once, in the order of their first mention",
      { name: "n", photoUrls: [], tags: [{ name: "b" }, { name: "a" }, { name: "b" }] },
      {
        id: 5,
        name: "n",
        photoUrls: [],
        tags: [
          { id: 11, name: "b" },
          { id: 10, name: "a" },
        ],
        status: "sold",
      },
    ],
  ]
  for (const [guarantee, draft, pet] of cases)
    test(guarantee, () => assert.deepEqual(composePet(draft, 5, "sold", ids), pet))

  test("ignores ids and unknown fields", () => {
    const draft = { name: "n", photoUrls: [], category: { id: 99, name: "Dogs", x: 1 }, y: 2 } as PetDraft
    assert.deepEqual(composePet(draft, 5, "sold", ids), {
      id: 5,
      category: { id: 1, name: "Dogs" },
      name: "n",
      photoUrls: [],
      tags: [],
      status: "sold",
    })
  })
})

test("labelsOf returns each tag once", () => {
  assert.deepEqual(labelsOf({ tags: [{ name: "a" }, { name: "a" }] }), { categories: [], tags: ["a"] })
})

describe("patched", () => {
  const pet: Pet = {
    id: 5,
    category: { id: 1, name: "Dogs" },
    name: "n",
    photoUrls: ["u"],
    tags: [{ id: 10, name: "a" }],
    status: "available",
  }
  const cases: { guarantee: string; patch: PetPatch; patched: object }[] = [
    { guarantee: "changes nothing when it is empty", patch: {}, patched: pet },
    {
      guarantee: "replaces plain fields",
      patch: { name: "m", status: "sold" },
      patched: { ...pet, name: "m", status: "sold" },
    },
    {
      guarantee: "replaces arrays whole",
      patch: { photoUrls: [], tags: [{ name: "b" }] },
      patched: { ...pet, photoUrls: [], tags: [{ name: "b" }] },
    },
    { guarantee: "merges objects", patch: { category: {} }, patched: pet },
    {
      guarantee: "gives an object's fields new values",
      patch: { category: { name: "Cats" } },
      patched: { ...pet, category: { id: 1, name: "Cats" } },
    },
  ]
  for (const { guarantee, patch, patched } of cases)
    test(guarantee, () => assert.deepEqual(applyPatch(pet, patch), patched))

  test("removes what is null", () => {
    const { category, tags, ...rest } = pet
    assert.deepEqual(applyPatch(pet, { category: null, tags: null }), rest)
    assert.deepEqual({ name: category?.name, tags: tags.length }, { name: "Dogs", tags: 1 })
  })
})

test("a patch asks for a change when it has any field but the id, also with null", () => {
  for (const [patch, expected] of [
    [{}, false],
    [{ id: 1 }, false],
    [{ name: "Rex" }, true],
    [{ id: 1, category: null }, true],
  ] as [PetPatch, boolean][])
    assert.equal(asksForChange(patch), expected, JSON.stringify(patch))
})

test("a form contradicts its query where both have a field, with other values", () => {
  const contradiction = (parameter: string) => ({
    parameter,
    code: "contradictory",
    detail: "differs from the value in the body",
  })
  for (const [query, body, names] of [
    [{}, {}, []],
    [{ name: "Rex" }, { status: "sold" }, []],
    [{ status: "sold" }, { name: "Rex" }, []],
    [{ name: "Rex", status: "sold" }, { name: "Rex", status: "sold" }, []],
    [{ name: "Rex", status: "sold" }, { name: "Max", status: "sold" }, ["name"]],
    [{ name: "Rex", status: "sold" }, { name: "Max", status: "pending" }, ["name", "status"]],
  ] as [PetForm, PetForm, string[]][])
    assert.deepEqual(contradictions(query, body), names.map(contradiction))
})

import type { Static } from "typebox"
import {
  classicTypes,
  formTypes,
  jsonOrXml,
  jsonType,
  ndjsonType,
  patchTypes,
} from "../../kernel/network/media-types.ts"
import { chosenId, Id, label, list, named, nullable, object, text } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { PetResult } from "./import/contract.ts"

export const PetStatus = named(
  "PetStatus",
  Type.Enum(["available", "pending", "sold"], { description: "Whether the pet is for sale" }),
)
export type PetStatus = Static<typeof PetStatus>

const PetName = label(255, { description: "Name of the pet", examples: ["doggie"] })
export const LabelName = label(100, { description: "Equal names have the same id", examples: ["friendly"] })

/** An absolute http(s) URL or a relative reference (RFC 3986); other schemes are refused. */
const PhotoUrl = text(1, 2048, {
  format: "uri-reference",
  pattern: "^([Hh][Tt][Tt][Pp][Ss]?://[^/?#]|[^:/?#]*([/?#]|$))",
  "x-rule": "must be an http(s) URL or a relative reference",
  examples: ["https://images.example/doggie.jpg"],
  xml: { name: "photoUrl" },
})
const PhotoUrls = Type.Array(PhotoUrl, { maxItems: 50, xml: { wrapped: true } })

const category = { xml: { name: "category" } }
const tag = { xml: { name: "tag" } }
const tags = { maxItems: 50, xml: { wrapped: true } }
const Category = object("Category", { id: Id, name: LabelName }, category)
const Tag = object("Tag", { id: Id, name: LabelName }, tag)
/** A label has the id of its name; a pet as it was received can be sent. */
const ignoredId = { "x-ignored": ["id"] }
const CategoryDraft = object("CategoryDraft", { name: LabelName }, { ...category, ...ignoredId })
const TagDraft = object("TagDraft", { name: LabelName }, { ...tag, ...ignoredId })

export const Pet = object(
  "Pet",
  {
    id: Id,
    category: Type.Optional(Category),
    name: PetName,
    photoUrls: PhotoUrls,
    tags: Type.Array(Tag, tags),
    status: PetStatus,
  },
  {
    examples: [
      {
        id: 10,
        category: { id: 1, name: "Dogs" },
        name: "doggie",
        photoUrls: ["https://images.example/doggie.jpg"],
        tags: [{ id: 1, name: "friendly" }],
        status: "available",
      },
    ],
    xml: { name: "pet" },
  },
)
export type Pet = Static<typeof Pet>

const petFields = {
  category: Type.Optional(CategoryDraft),
  name: PetName,
  photoUrls: PhotoUrls,
  tags: Type.Optional(Type.Array(TagDraft, tags)),
  status: Type.Optional(PetStatus),
}

/** 50 photo URLs of 2,048 characters, and the other fields in any alphabet. */
export const petBytesMax = 160 * 1024

const petExample = {
  category: { name: "Dogs" },
  name: "doggie",
  photoUrls: ["https://images.example/doggie.jpg"],
  tags: [{ name: "friendly" }],
  status: "available",
}

export const PetDraft = object(
  "PetDraft",
  { id: Type.Optional(chosenId("Generated when omitted or 0")), ...petFields },
  { examples: [petExample], xml: { name: "pet" } },
)
export type PetDraft = Static<typeof PetDraft>

export const PetReplacement = object(
  "PetReplacement",
  { id: Id, ...petFields },
  { examples: [{ id: 10, ...petExample, status: "pending" }], xml: { name: "pet" } },
)
export type PetReplacement = Static<typeof PetReplacement>

/** A JSON merge patch (RFC 7396): null removes a field, objects are merged, other values replace. */
export const PetPatch = object(
  "PetPatch",
  {
    id: Type.Optional(Id),
    category: Type.Optional(nullable(Type.Object({ name: Type.Optional(LabelName) }, ignoredId))),
    name: Type.Optional(PetName),
    photoUrls: Type.Optional(petFields.photoUrls),
    tags: Type.Optional(nullable(Type.Array(TagDraft, tags))),
    status: petFields.status,
  },
  { examples: [{ status: "sold" }] },
)
export type PetPatch = Static<typeof PetPatch>

const PetForm = Type.Object({ name: Type.Optional(PetName), status: Type.Optional(PetStatus) })
export type PetForm = Static<typeof PetForm>

export const Pets = Type.Array(Pet, { maxItems: 1000, xml: { name: "pets", wrapped: true } })

/** Parsing twice as much can block the event loop for more than 20 ms. */
export const importBytesMax = 256 * 1024

const PetDrafts = Type.Array(PetDraft, { minItems: 1, maxItems: 500 })

const PetResults = Type.Array(PetResult, { maxItems: 500 })

const common = { tag: "pet", produces: jsonOrXml } as const
const reading = endpointsWith({ ...common, scope: "read:pets" })
const adding = endpointsWith({ ...common, scope: "write:pets" })
const writing = endpointsWith({ ...common, scope: "write:pets", conditional: true })

export const pets = {
  addPet: writing("POST", "/pet", {
    summary: "Add a pet to the store",
    description: "Without an id, or with id 0, the pet gets a new one. `status` defaults to `available`.",
    command: "pets create",
    body: PetDraft,
    consumes: classicTypes,
    bodyBytesMax: petBytesMax,
    response: Pet,
    problems: ["pet-exists"],
    idempotent: "by-key",
  }),

  importPets: adding("POST", "/pets/import", {
    summary: "Add up to 500 pets",
    description:
      "Adds each pet as `POST /pet` does, in one transaction; the results are in the order of the pets. A refused pet does not " +
      "undo the others. Each pet counts against the plan as a request, and those beyond it are refused with `quota-exceeded`.",
    command: "pets import",
    body: PetDrafts,
    itemwise: true,
    itemProblems: ["pet-exists"],
    consumes: [jsonType, ndjsonType],
    bodyBytesMax: importBytesMax,
    response: PetResults,
    produces: [jsonType],
    problems: [],
    idempotent: "by-key",
  }),

  updatePet: writing("PUT", "/pet", {
    summary: "Replace a pet",
    description: "An omitted category or tags is cleared; an omitted status is kept.",
    command: "pets replace",
    body: PetReplacement,
    consumes: classicTypes,
    bodyBytesMax: petBytesMax,
    bodyProblems: { "/id": "invalid-pet-id" },
    response: Pet,
    problems: ["pet-not-found", "pet-has-open-order", "precondition-failed"],
  }),

  findPetsByStatus: reading("GET", "/pet/findByStatus", {
    summary: "List pets by status",
    description: "Newest first: pets with any of the statuses, which may be repeated or separated by commas.",
    command: "pets by-status",
    query: Type.Object({ status: list(PetStatus, { default: ["available"], description: "Any of these statuses" }) }),
    response: Pets,
    paged: true,
  }),

  findPetsByTags: reading("GET", "/pet/findByTags", {
    summary: "List pets by tags",
    description: "Newest first: pets with any of the tags, which may be repeated or separated by commas.",
    command: "pets by-tags",
    query: Type.Object({
      tags: list(LabelName, {
        examples: [["friendly"]],
        description: "Any of these tags",
        "x-missing": "No tags provided",
      }),
    }),
    response: Pets,
    paged: true,
  }),

  getPetById: reading("GET", "/pet/{petId}", {
    summary: "Find a pet by its id",
    command: "pets get",
    response: Pet,
    problems: ["pet-not-found"],
    conditional: true,
  }),

  patchPet: writing("PATCH", "/pet/{petId}", {
    summary: "Change some fields of a pet",
    description: "A JSON merge patch (RFC 7396).",
    command: "pets patch",
    body: PetPatch,
    bodyBytesMax: petBytesMax,
    consumes: patchTypes,
    response: Pet,
    problems: ["pet-not-found", "pet-has-open-order", "precondition-failed"],
  }),

  updatePetWithForm: writing("POST", "/pet/{petId}", {
    summary: "Change a pet's name or status",
    description: "Each may be in the query or in a form. Without either, nothing changes and no event is emitted.",
    command: "pets update",
    tool: { replaces: true, repeatable: true },
    query: PetForm,
    body: Type.Optional(PetForm),
    consumes: formTypes,
    response: Pet,
    problems: ["pet-not-found", "pet-has-open-order", "precondition-failed"],
  }),

  deletePet: writing("DELETE", "/pet/{petId}", {
    summary: "Delete a pet",
    command: "pets delete",
    problems: ["pet-not-found", "pet-has-open-order", "precondition-failed"],
  }),
}

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import type { TObject, TSchema } from "typebox"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { urlencodedType } from "../../src/core/kernel/network/media-types.ts"
import { basePath, filledPath } from "../../src/core/kernel/network/path.ts"
import { makeImage } from "../harness/images.ts"
import { startPetstore } from "../harness/petstore.ts"
import { newPet, newUser } from "../harness/samples.ts"

type Name = keyof typeof api
type Json = Record<string, unknown>
type Store = ReturnType<Awaited<ReturnType<typeof startPetstore>>["as"]>

/** How an endpoint is tested: values that the samples cannot know, preconditions, and where to read the result. */
type Trial = {
  prepare?: (store: Store) => Promise<{ params?: Json; given?: Json }>
  read: (store: Store, response: Json, params: Json) => Promise<unknown>
}

/** Fields that no read returns as they were sent. */
const unreadable: { [N in Name]?: Record<string, string> } = {
  placeOrder: { status: "every order starts as placed", complete: "and incomplete" },
  createUser: { password: "write-only" },
  createUsersWithListInput: { password: "write-only" },
  updateUser: { password: "write-only", currentPassword: "a proof, not part of the record" },
  createKey: { accountId: "the account of the key: no other account reads it" },
}

/** Endpoints that take fields but store none of them. */
const commands: { [N in Name]?: string } = {
  patchPets: "each line is a patchPet",
  grantRole: "the password is compared, not stored",
  logIn: "the credentials are compared, not stored",
  resetPassword: "passwords are write-only",
  rotateKey: "the overlap decides when the old key ends",
  retryFailedDeliveries: "the time selects deliveries",
}

const readPet: Trial["read"] = async (store, { id }) =>
  (await store.getPetById({ params: { petId: id as number } })).value
const readUser: Trial["read"] = async (store, { username }) =>
  (await store.getUserByName({ params: { username: username as string } })).value
const newWebhook = async (store: Store) =>
  (await store.createWebhook({ body: { url: "http://127.0.0.1:9/before" } })).value.id

const trials: { [N in Name]?: Trial } = {
  addPet: { prepare: async () => ({ given: { id: 4711 } }), read: readPet },
  importPets: { prepare: async () => ({ given: { id: 4713 } }), read: readPet },
  updatePet: { prepare: async (store) => ({ given: { id: await newPet(store) } }), read: readPet },
  patchPet: {
    prepare: async (store) => {
      const petId = await newPet(store)
      return { params: { petId }, given: { id: petId } }
    },
    read: readPet,
  },
  updatePetWithForm: { prepare: async (store) => ({ params: { petId: await newPet(store) } }), read: readPet },
  uploadFile: {
    prepare: async (store) => ({ params: { petId: await newPet(store) } }),
    read: async (store, _response, { petId }) => {
      const [image] = (await store.listPetImages({ params: { petId: petId as number } })).value
      return { additionalMetadata: image?.description }
    },
  },
  placeOrder: {
    prepare: async (store) => ({ given: { id: 4711, petId: await newPet(store) } }),
    read: async (store, { id }) => (await store.getOrderById({ params: { orderId: id as number } })).value,
  },
  patchOrder: {
    prepare: async (store) => {
      const { value } = await store.placeOrder({ body: { petId: await newPet(store) } })
      return { params: { orderId: value.id }, given: { status: "approved" } }
    },
    read: async (store, { id }) => (await store.getOrderById({ params: { orderId: id as number } })).value,
  },
  createUser: { prepare: async () => ({ given: { id: 4711 } }), read: readUser },
  createUsersWithListInput: {
    prepare: async () => ({ given: { id: 4712, username: "listed" } }),
    read: (store, { username }) => readUser(store, { username }, {}),
  },
  updateUser: {
    prepare: async (store) => {
      const { id, username } = await newUser(store)
      return { params: { username }, given: { id, username: "renamed" } }
    },
    read: readUser,
  },
  createAccount: { read: async (store, { id }) => (await store.getAccount({ params: { id: id as number } })).value },
  patchAccount: {
    prepare: async (store) => {
      const { value } = await store.createAccount({ body: { name: "before", plan: "free" } })
      return { params: { id: value.id } }
    },
    read: async (store, { id }) => (await store.getAccount({ params: { id: id as number } })).value,
  },
  createKey: {
    prepare: async (store) => {
      const { value } = await store.createAccount({ body: { name: "of the key", plan: "free" } })
      return { given: { accountId: value.id } }
    },
    read: async (store, { id }) => (await store.getKey({ params: { id: id as number } })).value,
  },
  createOAuthClient: {
    read: async (store, { id }) => (await store.getOAuthClient({ params: { id: id as number } })).value,
  },
  updateOAuthClient: {
    prepare: async (store) => {
      const { value } = await store.createOAuthClient({ body: { name: "before", scopes: ["read:orders"] } })
      return { params: { id: value.id } }
    },
    read: async (store, { id }) => (await store.getOAuthClient({ params: { id: id as number } })).value,
  },
  createWebhook: {
    prepare: async () => ({ given: { url: "http://127.0.0.1:9/after" } }),
    read: async (store, { id }) => (await store.getWebhook({ params: { webhookId: id as number } })).value,
  },
  updateWebhook: {
    prepare: async (store) => ({
      params: { webhookId: await newWebhook(store) },
      given: { url: "http://127.0.0.1:9/after" },
    }),
    read: async (store, { id }) => (await store.getWebhook({ params: { webhookId: id as number } })).value,
  },
}

let petstore: Awaited<ReturnType<typeof startPetstore>>
before(async () => {
  petstore = await startPetstore()
})
after(() => petstore[Symbol.asyncDispose]())

const writes = Object.entries<Endpoint>(api).filter(
  ([, { method, body, query }]) => method !== "GET" && method !== "DELETE" && (body ?? query) !== undefined,
)

test("every endpoint that takes fields is either tested here or listed as storing none", () => {
  const known = [...Object.keys(trials), ...Object.keys(commands)]
  assert.deepEqual(
    writes.map(([name]) => name).toSorted((a, b) => a.localeCompare(b)),
    known.toSorted((a, b) => a.localeCompare(b)),
  )
})

for (const [name, endpoint] of writes) {
  const trial = trials[name as Name]
  if (!trial) continue
  test(`${name} stores every field it takes, and no other`, async () => {
    const store = petstore.as("special-key")
    const { params = {}, given = {} } = (await trial.prepare?.(store)) ?? {}
    const schema = (endpoint.body ?? endpoint.query) as TSchema
    const { items } = schema as { items?: TSchema }
    const sent: Json = { ...(sampleOf(items ?? schema) as Json), ...given }
    const written = { ...sent, stranger: "is not stored" }
    const [response] = [await call(endpoint, params, items ? [written] : written)].flat()

    const back = (await trial.read(store, response as Json, params)) as Json
    assert.ok(!("stranger" in back))
    const expected = Object.entries(sent).filter(([field]) => unreadable[name as Name]?.[field] === undefined)
    assert.ok(expected.length > 0)
    assert.partialDeepStrictEqual(back, Object.fromEntries(expected))
    for (const field of Object.keys(unreadable[name as Name] ?? {}))
      assert.ok(field in sent && back[field] !== sent[field], field)
  })
}

async function call(endpoint: Endpoint, params: Json, sent: unknown): Promise<unknown> {
  const form = () => `${new URLSearchParams(sent as Record<string, string>)}`
  const query = endpoint.body ? "" : `?${form()}`
  const type = endpoint.upload ? "image/png" : (endpoint.consumes?.[0] ?? "application/json")
  const image = endpoint.upload && new Uint8Array(await makeImage("png"))
  const response = await fetch(petstore.url + basePath + filledPath(endpoint.path, params) + query, {
    method: endpoint.method,
    headers: { api_key: "special-key", ...((endpoint.body || image) && { "content-type": type }) },
    ...(endpoint.body ? { body: type === urlencodedType ? form() : JSON.stringify(sent) } : image && { body: image }),
  })
  const text = await response.text()
  assert.equal(response.status, endpoint.status, text)
  return JSON.parse(text)
}

/** A value that fits the schema, with every optional field set to something other than its default. */
function sampleOf(schema: TSchema): unknown {
  const {
    type,
    properties,
    items,
    examples,
    minimum = 0,
  } = schema as TObject & {
    items?: TSchema
    examples?: unknown[]
    minimum?: number
  }
  const [kind] = [type as string | string[]].flat()
  const [example] = examples ?? []
  const choices = (schema as { enum?: unknown[] }).enum
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, sampleOf(of)]))
  if (example !== undefined) return example
  if (choices) return choices.at(-1)
  if (items) return [sampleOf(items)]
  if (kind === "boolean") return true
  if (kind === "integer") return Math.max(7, minimum)
  return (schema as { format?: string }).format === "date-time" ? "2030-01-01T00:00:00.000Z" : "a text of its own"
}

import { person } from "../../test/harness/person.ts"
import { anyOf, changesOf, keyedCreatesOf, sendsOf, type Target } from "../load/wrk.ts"
import type { ServerProcess } from "../machine/server-process.ts"
import type { Stock } from "./contestant.ts"
import { unlimited } from "./petstore.ts"

const json = { ...unlimited, "content-type": "application/json" }
const ordersPlaced = 1000

/** The kind beside which the others are measured. */
export const read = "GET one pet"

/** Requests of every kind to a service that has the pets of the file, with a read of one pet, beside which they are measured. What reads comes first. */
export async function kindsOf({ url }: ServerProcess, { file, count }: Stock): Promise<Record<string, Target>> {
  await placeOrders(url)
  const cookie = await signIn(url)
  const get = (path: string, headers: Record<string, string> = {}): Target => ({
    url: url + path,
    headers: { ...unlimited, ...headers },
  })
  const anyPage = (path: string, headers: Record<string, string> = {}): Target =>
    anyOf("pages", `${url}${path}&limit=100&cursor=`, count, { ...unlimited, ...headers })
  const post = (path: string, body: string, headers: Record<string, string> = json): Target =>
    sendsOf("POST", url + path, body, headers)
  const callOf = (name: string, args: object) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
  const credentials = "grant_type=client_credentials&client_id=sample-client-id&client_secret=sample-client-secret"
  return {
    [read]: get("/api/v3/pet/1"),
    "GET one pet, XML": get("/api/v3/pet/1", { accept: "application/xml" }),
    "GET one pet, `/v2`": get("/v2/pet/1"),
    "100 pets by status, any page": anyPage("/api/v3/pet/findByStatus?status=available"),
    "100 pets by tag, any page": anyPage("/api/v3/pet/findByTags?tags=shy"),
    "100 pets by two tags, any page": anyPage("/api/v3/pet/findByTags?tags=shy,calm"),
    "100 pets by category and tag, any page": anyPage("/api/v3/pet?category=Dogs&tag=shy"),
    "no pet by category and tag": get("/api/v3/pet?category=Dogs&tag=Siamese&limit=100"),
    "100 pets of `/pets`, any page": anyPage("/api/v3/pets?status=available"),
    "100 pets of `/v2`, any page": anyPage("/v2/pet/findByStatus?status=available"),
    "100 pets as XML, any page": anyPage("/api/v3/pet/findByStatus?status=available", { accept: "application/xml" }),
    "100 orders": get("/api/v3/orders?limit=100"),
    "100 events": get("/api/v3/events?limit=100"),
    "console, 20 pets": get("/console/pets", { cookie }),
    "MCP `ping`": post("/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })),
    "MCP `tools/list`": post("/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })),
    "MCP `getPetById`": post("/mcp", callOf("getPetById", { petId: 1 })),
    "verify, by status": post(
      "/api/v3/sandbox/requests/verify",
      JSON.stringify({ match: { status: "200" }, atLeast: 1 }),
    ),
    "token by client credentials": post("/oauth/token", credentials, {
      "content-type": "application/x-www-form-urlencoded",
    }),
    "PATCH a pet": changesOf(`${url}/api/v3/pet/2`, unlimited),
    "POST a pet with `Idempotency-Key`": keyedCreatesOf(`${url}/api/v3/pet`, file, unlimited),
    "POST an order": post("/v2/store/order", JSON.stringify({ petId: 3, quantity: 1 })),
  }
}

async function placeOrders(url: string): Promise<void> {
  for (let petId = 1; petId <= ordersPlaced; petId++) {
    const body = JSON.stringify({ petId })
    const response = await fetch(`${url}/v2/store/order`, { method: "POST", headers: json, body })
    if (!response.ok) throw new Error(`an order: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
}

/** The session's cookie of the sandbox's admin. */
async function signIn(url: string): Promise<string> {
  const admin = person(url)
  await admin.go("/console/sign-in")
  await admin.signIn("admin", "admin")
  return admin
    .cookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ")
}

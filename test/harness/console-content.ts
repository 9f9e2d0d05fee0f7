import { passwordOf, people } from "./console.ts"
import { askFor, discover, sample, sampleRedirectUri } from "./oauth.ts"
import { person } from "./person.ts"
import type { startPetstore } from "./petstore.ts"
import { startReceiver } from "./receiver.ts"

type Petstore = Pick<Awaited<ReturnType<typeof startPetstore>>, "as" | "url" | "withToken" | "worker">

/**
 * Creates content for the console's pages: the admin has keys, an application, and webhooks with successful and failed
 * deliveries; every user has allowed an application access; there is a named sandbox, and requests to both.
 */
export async function furnish(petstore: Petstore): Promise<void> {
  const { value: token } = await petstore
    .as("special-key")
    .logIn({ body: { username: people.admin, password: passwordOf(people.admin) } })
  const admin = petstore.withToken(token)
  await admin.createKey({
    body: { name: "Nightly import", scopes: ["read:pets", "write:pets"], allowedCidrs: ["203.0.113.0/24"] },
  })
  const { value: old } = await admin.createKey({ body: { name: "Dashboard", scopes: ["read:pets"] } })
  await admin.rotateKey({ params: { id: old.id } })
  const redirectUris = ["https://walker.example/callback"]
  await admin.createOAuthClient({
    body: { name: "Pet walker", redirectUris, scopes: ["read:pets"] },
  })
  for (const username of Object.values(people)) await consent(petstore.url, username)
  await deliver(petstore, admin)
  await fetch(`${petstore.url}/s/fixture/api/v3/pet/1`, { headers: { api_key: "special-key" } })
}

/** Allows the sample application to read the pets, as this user. */
async function consent(url: string, username: string): Promise<void> {
  const request = await askFor(await discover(url), sample.client_id, sampleRedirectUri, "read:pets")
  const visitor = person(url)
  await visitor.go(request.url)
  await visitor.signIn(username, passwordOf(username))
  await visitor.allow()
}

/** Delivers events to one receiver that accepts them and to one that fails. */
async function deliver(petstore: Petstore, admin: ReturnType<Petstore["as"]>) {
  await using receiver = await startReceiver()
  receiver.respond((request, response) => {
    if (request.url === "/fails") response.writeHead(500).end('{"error":"the warehouse is closed"}')
    else response.writeHead(200).end("thank you")
  })
  await admin.createWebhook({ body: { url: `${receiver.url}/takes`, description: "The newsletter" } })
  await admin.createWebhook({
    body: { url: `${receiver.url}/fails`, description: "The warehouse", events: ["pet.created", "order.placed"] },
  })
  await petstore.as("special-key").addPet({ body: { name: "Announced", photoUrls: [] } })
  await receiver.until(({ length }) => length >= 2)
  await petstore.worker.idle()
}

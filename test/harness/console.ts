import type { ConsolePage } from "../../src/web/console/page.ts"
import { consolePages } from "../../src/web/console/pages.ts"
import { person } from "./person.ts"
import type { startPetstore } from "./petstore.ts"

/** Who walks through the console, by role. */
export const people = { customer: "user1", staff: "user2", admin: "user3" } as const
export type PersonRole = keyof typeof people

/** The password of a user of the sandbox. */
export const passwordOf = (username: string): string => username.replace("user", "password")

type Petstore = Pick<Awaited<ReturnType<typeof startPetstore>>, "as" | "url">

/** Gives each of them their role. */
export async function appoint(petstore: Petstore): Promise<void> {
  for (const [role, username] of Object.entries(people) as [PersonRole, string][])
    await petstore.as("special-key").grantRole({ params: { username, role } })
}

/** Things that are there, for the parameters of addresses. */
const things: Record<string, string> = {
  ...{ entryId: "1", petId: "1", orderId: "1", username: "user4", accountId: "1" },
  ...{ keyId: "1", applicationId: "3", webhookId: "1", deliveryId: "1" },
}

/** An address of a page, and whether it leads to something for those who may see it. */
export const addressOf = ({ path }: ConsolePage): string =>
  path.replace(/:(\w+)/g, (_, name: string) => things[name] ?? "1")
export const isThere = ({ path }: ConsolePage): boolean =>
  [...path.matchAll(/:(\w+)/g)].every(([, name = ""]) => name in things)

/** Somebody with a browser without scripts, signed in as one of them. */
export async function signedIn(petstore: Petstore, role: PersonRole) {
  const somebody = person(petstore.url)
  await somebody.go("/console/sign-in")
  await somebody.signIn(people[role], passwordOf(people[role]))
  return somebody
}

/** The page that responds at a path below the console. */
export const pageAt = (path: string): ConsolePage | undefined =>
  consolePages.find((page) => page.path === path) ??
  consolePages.find((page) => new RegExp(`^${page.path.replace(/:\w+/g, "[^/]+")}$`).test(path))

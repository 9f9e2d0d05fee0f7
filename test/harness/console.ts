import type { ConsolePage } from "../../src/parts/console/pages/page.ts"
import { groupsWith, pagesOf } from "../../src/parts/console/pages/pages.ts"
import { sandboxPages } from "../../src/parts/sandbox/console/extension.ts"
import { serverUrl } from "./database.ts"
import { person } from "./person.ts"
import type { startPetstore } from "./petstore.ts"

/** All pages of the console of a sandbox. */
export const consolePages = pagesOf(groupsWith(sandboxPages))

/** The users of the console tests, by role. */
export const people = { customer: "user1", staff: "user2", admin: "user3" } as const
export type PersonRole = keyof typeof people

/** The password of a user of the sandbox. */
export const passwordOf = (username: string): string => username.replace("user", "password")

type Petstore = Pick<Awaited<ReturnType<typeof startPetstore>>, "as" | "url">

/** Grants each user their role. */
export async function appoint(petstore: Petstore): Promise<void> {
  for (const [role, username] of Object.entries(people) as [PersonRole, string][])
    await petstore.as("special-key").grantRole({ params: { username, role } })
}

/** Values for address parameters; the sandbox has these resources. */
const things: Record<string, string> = {
  entryId: "1",
  petId: "1",
  orderId: "1",
  username: "user4",
  accountId: "1",
  keyId: "1",
  applicationId: "3",
  webhookId: "1",
  deliveryId: "1",
  requestId: "1",
  ...(serverUrl === undefined && { name: "fixture" }),
}

/** The address of a page, and whether the page exists for users with access. */
export const addressOf = ({ path }: ConsolePage): string =>
  path.replace(/:(\w+)/g, (_, name: string) => things[name] ?? "1")
export const isThere = ({ path }: ConsolePage): boolean =>
  [...path.matchAll(/:(\w+)/g)].every(([, name = ""]) => name in things)

/** A visitor without scripts, signed in with this role. */
export async function signedIn(petstore: Petstore, role: PersonRole) {
  const visitor = person(petstore.url)
  await visitor.go("/console/sign-in")
  await visitor.signIn(people[role], passwordOf(people[role]))
  return visitor
}

/** The page for a path below the console. */
export const pageAt = (path: string): ConsolePage | undefined =>
  consolePages.find((page) => page.path === path) ??
  consolePages.find((page) => new RegExp(`^${page.path.replace(/:\w+/g, "[^/]+")}$`).test(path))

import type { Store } from "../../../core/domain/ports/store.ts"
import type { SamplePerson } from "../../site/sample-person.ts"
import type { SignInHelp } from "../pages/sign-in-page.ts"

/** The help of a sign-in page: sample users, or in a service without users how to create the first. */
export async function signInHelp(
  { users }: Pick<Store, "users">,
  people: readonly SamplePerson[],
): Promise<SignInHelp> {
  if (people.length > 0) return { people, hasUsers: true }
  const { items } = await users.list({ limit: 1, sort: "id", after: undefined })
  return { people, hasUsers: items.length > 0 }
}

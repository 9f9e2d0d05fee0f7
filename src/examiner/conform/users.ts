import { claim, expectStatus, jsonOf, type Subject, unusedId, unusedName } from "./subject.ts"

export const password = "correct horse 7"

export const draftUser = (): { id: number; username: string; password: string; firstName: string } => ({
  id: unusedId(),
  username: unusedName("ada"),
  password,
  firstName: "Ada",
})

/** Registers a user, which must succeed. */
export async function register({ send }: Subject): Promise<string> {
  const user = draftUser()
  expectStatus(await send("POST", "/user", { body: user }), 200)
  return user.username
}

/** Registers a user for a check that is only for a service that can do so. */
export async function registerFirst({ send }: Subject): Promise<string> {
  const user = draftUser()
  claim((await send("POST", "/user", { body: user })).status === 200, "a user cannot be registered")
  return user.username
}

/** What a user sends instead of a key: nothing but a token; claimed when a login gives one. */
export async function logInFirst({ send }: Subject, username: string) {
  const reply = await send("GET", `/user/login?${new URLSearchParams({ username, password })}`, { key: undefined })
  claim(reply.status === 200 && /^"[^"\s]+"$/.test(reply.text), "a login has no token")
  return { key: undefined, headers: { authorization: `Bearer ${jsonOf(reply)}` } }
}

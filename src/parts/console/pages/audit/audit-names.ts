import type { ProblemCode } from "../../../../core/domain/problems/problems.ts"
import { encodeCursor } from "../../../../core/kernel/endpoint/page.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { type Call, type Called, valueUnless } from "../../../site/serving/call.ts"
import type { Visit } from "../page.ts"
import { linkTo } from "../parts/link-to.ts"
import { userPath } from "../users/user-record.ts"

/** What a reference such as `key:7` names, and its page. */
type Named = { name: string; path: string }

/**
 * Reads the names of these references, each once and all at the same time. What was deleted or belongs to another account is
 * shown as its reference.
 */
export async function nameReferences(
  { call, ...visit }: Visit,
  references: readonly string[],
): Promise<(reference: string) => Markup | string> {
  const distinct = [...new Set(references)]
  const names = new Map(await Promise.all(distinct.map(async (each) => [each, await find(call, each)] as const)))
  return (reference) => {
    const named = names.get(reference)
    if (named === undefined) return reference
    return html`<span title="${reference}">${linkTo(visit, named.path, named.name)}</span>`
  }
}

async function find(call: Call, reference: string): Promise<Named | undefined> {
  const [noun = "", digits] = reference.split(":")
  const id = Number(digits)
  return Number.isSafeInteger(id) && id > 0 && Object.hasOwn(finders, noun) ? finders[noun]?.(call, id) : undefined
}

type Find = (call: Call, id: number) => Promise<Named | undefined>

const finderOf =
  <T>(code: ProblemCode, read: (call: Call, id: number) => Promise<Called<T>>, show: (value: T) => Named): Find =>
  async (call, id) => {
    const value = await valueUnless(code, read(call, id))
    return value && show(value)
  }

const finders: Record<string, Find> = {
  user: findUser,
  key: finderOf(
    "key-not-found",
    (call, id) => call.getKey({ params: { id } }),
    ({ id, name }) => ({ name, path: `/keys/${id}` }),
  ),
  "oauth-client": finderOf(
    "oauth-client-not-found",
    (call, id) => call.getOAuthClient({ params: { id } }),
    ({ id, name }) => ({ name, path: `/applications/${id}` }),
  ),
  webhook: finderOf(
    "webhook-not-found",
    (call, webhookId) => call.getWebhook({ params: { webhookId } }),
    ({ id, description, url }) => ({ name: description || url, path: `/webhooks/${id}` }),
  ),
  account: finderOf(
    "account-not-found",
    (call, id) => call.getAccount({ params: { id } }),
    ({ id, name }) => ({ name, path: `/accounts/${id}` }),
  ),
}

/** The list of users finds a user by id: the first one after the id before. */
async function findUser(call: Call, id: number): Promise<Named | undefined> {
  const cursor = id > 1 ? { cursor: encodeCursor({ sort: "id", id: id - 1 }) } : {}
  const [user] = (await call.listUsers({ query: { sort: "id", limit: 1, ...cursor } })).value
  return user?.id === id ? { name: user.username, path: userPath(user.username) } : undefined
}

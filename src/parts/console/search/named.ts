import { contains, idIn } from "../../site/search/found.ts"
import type { Finder, Visit } from "../pages/page.ts"

/** How many of a list are searched, the newest first: accounts have few of these. */
const searchedMax = 100

type Named = { id: number; label: string; note: string }

/** Things with a name that the visitor's account has, or of which there are few; keys by their names only, not by a scope. */
export const namedThings: readonly Finder[] = [
  finder("Keys", "key", ["label"], async ({ call }) =>
    (await call.listKeys({ query: { limit: searchedMax } })).value.map(({ id, name, scopes }) => ({
      id,
      label: name,
      note: scopes.join(" "),
    })),
  ),
  finder("Applications", "application", ["label", "note"], async ({ call }) =>
    (await call.listOAuthClients({ query: { limit: searchedMax } })).value.map(({ id, name, clientId }) => ({
      id,
      label: name,
      note: clientId,
    })),
  ),
  finder("Webhooks", "webhook", ["label", "note"], async ({ call }) =>
    (await call.listWebhooks({ query: { limit: searchedMax } })).value.map(({ id, description, url }) => ({
      id,
      label: description ?? `Webhook ${id}`,
      note: url,
    })),
  ),
  finder("Accounts", "account", ["label"], async ({ call }) =>
    (await call.listAccounts({ query: { limit: searchedMax } })).value.map(({ id, name, plan }) => ({
      id,
      label: name,
      note: plan,
    })),
  ),
]

/** By these members of a thing, and by its id. */
function finder(
  title: string,
  noun: string,
  members: readonly ("label" | "note")[],
  list: (visit: Visit) => Promise<Named[]>,
): Finder {
  const path = `/${noun}s`
  return async (visit, text) => {
    if (!visit.mayGo(path)) return []
    const id = idIn(text, noun)
    const found = (await list(visit)).filter(
      (one) => one.id === id || contains(text, ...members.map((member) => one[member])),
    )
    return [{ title, hits: found.map(({ id, label, note }) => ({ label, note, href: `${visit.root}${path}/${id}` })) }]
  }
}

import type { Markup } from "../../../site/pages/html.ts"
import type { Visit } from "../page.ts"
import { contains, type Hit, hitList } from "./hits.ts"

/** How many of a list are searched, the newest first: accounts have few of these. */
const searchedMax = 100

type Thing = { path: `/${string}`; label: string; note: string }

/** Things with a name that the visitor's account has, or of which there are few. */
export const namedThings = [
  finder("Keys", "/keys", async ({ call }) =>
    (await call.listKeys({ query: { limit: searchedMax } })).value.map(({ id, name, scopes }) => ({
      path: `/keys/${id}`,
      label: name,
      note: scopes.join(" "),
    })),
  ),
  finder("Applications", "/applications", async ({ call }) =>
    (await call.listOAuthClients({ query: { limit: searchedMax } })).value.map(({ id, name, clientId }) => ({
      path: `/applications/${id}`,
      label: name,
      note: clientId,
    })),
  ),
  finder("Webhooks", "/webhooks", async ({ call }) =>
    (await call.listWebhooks({ query: { limit: searchedMax } })).value.map(({ id, description, url }) => ({
      path: `/webhooks/${id}`,
      label: description ?? `Webhook ${id}`,
      note: url,
    })),
  ),
  finder("Accounts", "/accounts", async ({ call }) =>
    (await call.listAccounts({ query: { limit: searchedMax } })).value.map(({ id, name, plan }) => ({
      path: `/accounts/${id}`,
      label: name,
      note: plan,
    })),
  ),
]

function finder(title: string, path: string, list: (visit: Visit) => Promise<Thing[]>) {
  return async (visit: Visit, text: string): Promise<Markup | undefined> => {
    if (!visit.mayGo(path)) return undefined
    const hits = (await list(visit))
      .filter(({ label, note }) => contains(text, label, note))
      .map((thing): Hit => ({ href: visit.root + thing.path, label: thing.label, note: thing.note }))
    return hitList(title, hits)
  }
}

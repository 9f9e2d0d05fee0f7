import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { consolePath } from "../../site/serving/cookies.ts"
import { sessionToken } from "../../site/serving/forms.ts"
import type { Visitor } from "../../site/serving/visitor.ts"
import type { Console } from "../console.ts"
import { isAt, maySeePage, type Visit } from "../pages/page.ts"
import { countFurther } from "./plan-use.ts"

export function visitOf(console: Console, exchange: Exchange<Caller>, visitor: Visitor): Visit {
  const { pages, service, api, extension } = console
  const { user, scopes, account } = visitor.caller
  const visit: Visit = {
    account: { id: account.id, name: account.name, isOwn: account.id === user.accountId },
    person: user,
    scopes,
    params: exchange.params,
    service: { ...service, now: readOnce(service.now) },
    root: consolePath(console.publicUrl()),
    query: new URLSearchParams(exchange.query),
    path: exchange.path.replace(/^\/console/, "") || "/",
    mayGo: (path) => pages.some((page) => isAt(page, path) && maySeePage(page, { person: user, scopes })),
    call: console.callAs(exchange, visitor),
    async isKnownKey(id) {
      const key = await api.ports.store.keys.read(id)
      return key !== undefined && api.ports.knownKeys.has(key.hash)
    },
    async hasKnownKey(accountId) {
      const { store, knownKeys } = api.ports
      const known = await Promise.all([...knownKeys].map((hash) => store.keys.byHash(hash)))
      return known.some((key) => key?.account.id === accountId)
    },
    groups: console.groups,
    menu: () => extension?.menu?.(visit),
    async startDownload() {
      console.takeExportSlot(user.id, exchange)
      await api.limitAccount(exchange)
    },
    async countRequest() {
      const refusal = await api.takeFromPlan(visitor.caller)
      if (refusal) throw refusal
    },
    countPage: () => countFurther(api, visitor.caller, exchange),
    receive: (shape) => console.receive(exchange, visitor, shape),
    token: sessionToken(visitor.token),
  }
  extension?.receive?.(visit, { exchange, visitor, api })
  return visit
}

/** A page reads the clock when it shows the first time, so that all times on it agree. */
function readOnce(read: () => number): () => number {
  let known: number | undefined
  return () => (known ??= read())
}

import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { isAt, maySeePage, type Visit } from "../pages/console/page.ts"
import type { Console } from "./console.ts"
import { consolePath } from "./cookies.ts"
import { sessionToken } from "./forms.ts"
import { countFurther } from "./plan-use.ts"
import type { Person } from "./visitor.ts"

export function visitOf(console: Console, exchange: Exchange, person: Person): Visit {
  const { pages, service, api } = console
  const { user, scopes, account } = person.caller
  return {
    account: { id: account.id, name: account.name, isOwn: account.id === user.accountId },

    person: user,
    scopes,
    params: exchange.params,
    service,
    root: consolePath(console.publicUrl()),
    query: new URLSearchParams(exchange.query),
    path: exchange.path.replace(/^\/console/, "") || "/",
    mayGo: (path) => pages.some((page) => isAt(page, path) && maySeePage(page, { person: user, scopes })),
    call: console.callAs(person),
    sandbox: onceByName((name) => ofSandbox(console.sandbox).callIn(exchange, person, name)),
    receiver: () => ofSandbox(console.receivers).of(account.id),
    send: (request, name) => ofSandbox(console.sandbox).send(exchange, person, name, request),
    async isKnownKey(id) {
      const key = await api.ports.store.keys.read(id)
      return key !== undefined && api.ports.knownKeys.has(key.hash)
    },
    async hasKnownKey(accountId) {
      const { store, knownKeys } = api.ports
      const known = await Promise.all([...knownKeys].map((hash) => store.keys.byHash(hash)))
      return known.some((key) => key?.account.id === accountId)
    },
    namedSandboxes: () => ofSandbox(console.sandbox).list(),
    async startDownload() {
      console.takeExportSlot(user.id, exchange)
      await api.limitAccount(exchange)
    },
    async countRequest() {
      const refusal = await api.takeFromPlan(person.caller)
      if (refusal) throw refusal
    },
    countPage: () => countFurther(api, person.caller, exchange),
    receive: (shape) => console.receive(person, shape),
    token: sessionToken(person.token),
  }
}

/** Pages of sandboxes exist only where there is one. */
function ofSandbox<Part>(part: Part | undefined): Part {
  if (!part) throw new Problem("not-found", "There is no sandbox")
  return part
}

function onceByName<T>(make: (name: string | undefined) => Promise<T>): (name?: string) => Promise<T> {
  const made = new Map<string | undefined, Promise<T>>()
  return (name) => {
    const one = made.get(name) ?? make(name)
    made.set(name, one)
    return one
  }
}

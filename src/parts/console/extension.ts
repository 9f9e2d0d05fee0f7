import type { Api } from "../../core/api/operations/api.ts"
import type { Caller } from "../../core/domain/accounts/model.ts"
import type { Scope } from "../../core/domain/scopes.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import type { Markup } from "../site/pages/html.ts"
import type { Visitor } from "../site/serving/visitor.ts"
import type { ConsolePage, Finder, Visit } from "./pages/page.ts"

/** What another part adds to the console of a store. */
export type ConsoleExtension = {
  /** Its pages, in the order of the navigation, by the path of the page that they follow there. */
  pages: Readonly<Record<string, readonly ConsolePage[]>>
  /** What the search finds besides. */
  finders?: readonly Finder[]
  /** Shown in the header of every page. */
  menu?(visit: Visit): Markup | undefined
  /** Streams below /console, for people with the scope. */
  streams?: readonly ExtensionStream[]
  /** Receives every visit, to keep what its pages need for it. */
  receive?(visit: Visit, request: { exchange: Exchange; visitor: Visitor; api: Api }): void
}

export type ExtensionStream = {
  path: string
  scope: Scope
  open(exchange: Exchange<Caller>, visitor: Visitor, api: Api): Promise<HttpResponse | undefined>
}

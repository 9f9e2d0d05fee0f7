import type { Call } from "../../web/console/call.ts"
import type { ConsolePage, Service } from "../../web/console/page.ts"
import type { Operating } from "../operations/operating.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Asker } from "./caller.ts"
import type { consoleCookies } from "./cookies.ts"
import type { Visitor } from "./visitors.ts"

/** What the handlers of the console share. */
export type Console = {
  pages: readonly ConsolePage[]
  service: Service
  operating: Operating
  cookies: ReturnType<typeof consoleCookies>
  callAs(asker: Asker): Call
  findVisitor(exchange: Exchange): Promise<Visitor | undefined>
  publicUrl(): string
  /** Said below the form for signing in; the sandbox tells its sample user. */
  hint: string | undefined
}

import type { ConsolePage, ServiceInfo } from "../../web/console/page.ts"
import type { Operating } from "../operations/operating.ts"
import type { callerOf } from "./caller.ts"
import type { consoleCookies } from "./cookies.ts"
import type { exportRoom } from "./export-room.ts"
import type { pageUploads } from "./page-uploads.ts"
import type { personFinder } from "./visitor.ts"

/** What the handlers of the console share. */
export type Console = {
  pages: readonly ConsolePage[]
  service: ServiceInfo
  operating: Operating
  cookies: ReturnType<typeof consoleCookies>
  callAs: ReturnType<typeof callerOf>
  findPerson: ReturnType<typeof personFinder>
  receive: ReturnType<typeof pageUploads>
  takeExportPlace: ReturnType<typeof exportRoom>
  publicUrl(): string
  /** Said below the form for signing in; the sandbox tells its sample user. */
  hint: string | undefined
}

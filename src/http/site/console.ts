import { consolePages as pages } from "../../web/console/pages.ts"
import type { Operating } from "../operations/operating.ts"
import { callerOf } from "./caller.ts"
import { consoleCookies } from "./cookies.ts"
import { exportRoom } from "./export-room.ts"
import { pageUploads } from "./page-uploads.ts"
import { type About, describeService } from "./service.ts"
import { personFinder } from "./visitor.ts"

/** What the handlers of the console share. */
export type Console = ReturnType<typeof createConsole>

/** `hint` is shown below the form for signing in. */
export function createConsole(operating: Operating, about: About, hint: string | undefined) {
  const { publicUrl, clock } = operating.ports
  const cookies = consoleCookies(publicUrl, clock.now)
  return {
    ...{ pages, operating, cookies, publicUrl, hint },
    service: describeService(operating, about),
    callAs: callerOf({ ...operating, admit: operating.admitKnown }),
    findPerson: personFinder(operating, cookies),
    receive: pageUploads(operating),
    takeExportPlace: exportRoom(),
  }
}

import type { Operating } from "../../api/operations/operating.ts"
import type { NamedSandboxes } from "../../api/sandbox/named.ts"
import { consolePages as pages } from "../pages/console/pages.ts"
import type { SamplePerson } from "../pages/oauth/sign-in-page.ts"
import { callerOf } from "./caller.ts"
import { consoleCookies } from "./cookies.ts"
import { exportRoom } from "./export-room.ts"
import { pageUploads } from "./page-uploads.ts"
import { sandboxAccess } from "./sandbox-access.ts"
import { type About, describeService } from "./service.ts"
import { personFinder } from "./visitor.ts"

export type ConsoleDeps = {
  operating: Operating
  about: About
  samplePeople: readonly SamplePerson[]
  sandboxes: NamedSandboxes
  /** A public key with the scope `admin`; undefined in production. */
  knownKey: string | undefined
}

/** What the handlers of the console share. */
export type Console = ReturnType<typeof createConsole>

export function createConsole({ operating, about, samplePeople, sandboxes, knownKey }: ConsoleDeps) {
  const { publicUrl, clock } = operating.ports
  const cookies = consoleCookies(publicUrl, clock.now)
  return {
    ...{ pages: knownKey === undefined ? pages.filter(({ isOfSandbox }) => !isOfSandbox) : pages },
    sandbox: knownKey === undefined ? undefined : sandboxAccess({ operating, sandboxes, knownKey }),
    ...{ operating, cookies, publicUrl, samplePeople },
    service: describeService(operating, about),
    callAs: callerOf({ ...operating, admit: operating.admitKnown }),
    findPerson: personFinder(operating, cookies, samplePeople),
    receive: pageUploads(operating),
    takeExportPlace: exportRoom(),
  }
}

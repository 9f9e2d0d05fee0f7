import type { Api } from "../../api/operations/api.ts"
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
  api: Api
  about: About
  samplePeople: readonly SamplePerson[]
  sandboxes: NamedSandboxes
  /** A public key with the scope `admin`; undefined in production. */
  knownKey: string | undefined
}

/** What the handlers of the console share. */
export type Console = ReturnType<typeof createConsole>

export function createConsole({ api, about, samplePeople, sandboxes, knownKey }: ConsoleDeps) {
  const { publicUrl, clock } = api.ports
  const cookies = consoleCookies(publicUrl, clock.now)
  return {
    ...{ pages: knownKey === undefined ? pages.filter(({ isOfSandbox }) => !isOfSandbox) : pages },
    sandbox: knownKey === undefined ? undefined : sandboxAccess({ api, sandboxes, knownKey }),
    ...{ api, cookies, publicUrl, samplePeople },
    service: describeService(api, about),
    callAs: callerOf({ ...api, admit: api.admitKnown }),
    findPerson: personFinder(api, cookies, samplePeople),
    receive: pageUploads(api),
    takeExportPlace: exportRoom(),
  }
}

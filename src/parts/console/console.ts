import type { Api } from "../../core/api/operations/api.ts"
import type { UploadShape } from "../../core/kernel/endpoint/endpoint.ts"
import type { Exchange, IncomingUpload } from "../../core/server/exchange/exchange.ts"
import type { SamplePerson } from "../site/sample-person.ts"
import type { Call } from "../site/serving/call.ts"
import { callerOf } from "../site/serving/caller.ts"
import type { Visitor } from "../site/serving/visitor.ts"
import type { Site } from "../site/site.ts"
import type { ConsoleExtension } from "./extension.ts"
import type { ConsolePage, PageGroup, ServiceInfo } from "./pages/page.ts"
import { groupsWith, pagesOf } from "./pages/pages.ts"
import { type About, describeService } from "./service.ts"
import { exportSlots } from "./serving/export-slots.ts"
import { pageUploads } from "./serving/page-uploads.ts"

export type Console = Pick<Site, "cookies" | "findVisitor"> & {
  pages: readonly ConsolePage[]
  /** The groups of the navigation. */
  groups: readonly PageGroup[]
  /** What another part adds. */
  extension: ConsoleExtension | undefined
  api: Api
  /** The base address of the service, without a trailing slash. */
  publicUrl(): string
  samplePeople: readonly SamplePerson[]
  service: ServiceInfo
  /** Without a visitor, as an anonymous client. */
  callAs(exchange: Exchange, visitor?: Visitor): Call
  /** Receives a file for a page that reads it itself. Throws the 503 when the person has too many files open. */
  receive(exchange: Exchange, visitor: Visitor, shape: UploadShape): IncomingUpload
  /** Reserves a slot for an export until its response has ended. Throws the 503 when there is none. */
  takeExportSlot(personId: number, exchange: Exchange): void
}

export function createConsole(about: About, given: Pick<Console, "api" | "samplePeople" | "extension">): Console {
  const { api, extension } = given
  const { cookies, findVisitor } = about.site
  const { publicUrl } = api.ports
  const groups = groupsWith(extension?.pages)
  return {
    ...given,
    cookies,
    findVisitor,
    groups,
    pages: pagesOf(groups).filter((page) => about.site.area === undefined || !page.isOfService),
    publicUrl,
    service: describeService(api, about),
    callAs: callerOf(api, api.admitKnown),
    receive: pageUploads(api),
    takeExportSlot: exportSlots(),
  }
}

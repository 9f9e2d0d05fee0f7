import type { Api } from "../../api/operations/api.ts"
import type { NamedSandboxes } from "../../api/sandbox/named.ts"
import type { UploadShape } from "../../kernel/endpoint/endpoint.ts"
import type { Exchange, IncomingUpload } from "../../server/exchange/exchange.ts"
import type { Call } from "../pages/console/call.ts"
import type { ConsolePage, ServiceInfo } from "../pages/console/page.ts"
import { consolePages as pages } from "../pages/console/pages.ts"
import type { SamplePerson } from "../pages/oauth/sign-in-page.ts"
import { callerOf, type Visitor } from "./caller.ts"
import type { ConsoleCookies } from "./cookies.ts"
import { exportSlots } from "./export-slots.ts"
import { pageUploads } from "./page-uploads.ts"
import { type SandboxAccess, sandboxAccess } from "./sandbox-access.ts"
import { type About, describeService } from "./service.ts"
import type { Person } from "./visitor.ts"
import type { WebhookReceivers } from "./webhook-receiver.ts"

export type ConsoleDeps = {
  api: Api
  about: About
  cookies: ConsoleCookies
  /** Undefined when no person is signed in. */
  findPerson(exchange: Exchange): Promise<Person | undefined>
  samplePeople: readonly SamplePerson[]
  /** Undefined in a named sandbox. */
  sandboxes: NamedSandboxes | undefined
  /** Undefined where `sandboxes` is, and in production. */
  receivers: WebhookReceivers | undefined
  /** A public key with the scope `admin`; undefined in production. */
  knownKey: string | undefined
}

export type Console = {
  /** All pages; in production and in a named sandbox without those of sandboxes. */
  pages: readonly ConsolePage[]
  /** Undefined in production and in a named sandbox. */
  sandbox: SandboxAccess | undefined
  receivers: WebhookReceivers | undefined
  api: Api
  cookies: ConsoleCookies
  /** The base address of the service, without a trailing slash. */
  publicUrl(): string
  samplePeople: readonly SamplePerson[]
  service: ServiceInfo
  callAs(visitor: Visitor): Call
  /** Undefined when no person is signed in. */
  findPerson(exchange: Exchange): Promise<Person | undefined>
  /** Receives a file for a page that reads it itself. Throws the 503 when the person has too many files open. */
  receive(person: Person, shape: UploadShape): IncomingUpload
  /** Reserves a slot for an export until its response has ended. Throws the 503 when there is none. */
  takeExportSlot(personId: number, exchange: Exchange): void
}

export function createConsole({ api, about, sandboxes, knownKey, ...shared }: ConsoleDeps): Console {
  const { publicUrl } = api.ports
  const sandbox = sandboxes && knownKey !== undefined ? sandboxAccess({ api, sandboxes, knownKey }) : undefined
  return {
    ...shared,
    pages: pages.filter((page) => (sandbox || !page.isOfSandbox) && (!about.sandbox || !page.isOfService)),
    sandbox,
    api,
    publicUrl,
    service: describeService(api, about),
    callAs: callerOf({ ...api, admit: api.admitKnown }),
    receive: pageUploads(api),
    takeExportSlot: exportSlots(),
  }
}

import type { ConsoleExtension } from "../../console/extension.ts"
import { faultPage, namedFaultPage } from "../fault-pages/fault-page.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { diffPage } from "../pages/diff.ts"
import { sandboxFinders } from "../pages/finders.ts"
import { findWayOut, menuOfSandboxes, wayOut } from "../pages/menus.ts"
import { receiverPage } from "../pages/receiver.ts"
import { namedRequestPage, requestPage } from "../pages/request.ts"
import { namedRequestsPage, requestsPage } from "../pages/requests.ts"
import { namedSandboxPage, sandboxPage } from "../pages/sandbox.ts"
import { keepSandbox, type SandboxVisit } from "../pages/sandbox-visit.ts"
import { enterSandbox } from "./enter-sandbox.ts"
import { makeFromFile } from "./make-from-file.ts"
import { sandboxAccess } from "./sandbox-access.ts"
import type { WebhookReceivers } from "./webhook-receiver.ts"

/** The pages of sandboxes, behind those of the console with these paths. */
export const sandboxPages: ConsoleExtension["pages"] = {
  "/webhooks": [receiverPage],
  "/events": [
    requestsPage,
    requestPage,
    sandboxPage,
    faultPage,
    namedSandboxPage,
    namedRequestsPage,
    namedRequestPage,
    namedFaultPage,
    diffPage,
  ],
}

/** What the sandbox adds to the console of the service. */
export const sandboxConsole = (sandboxes: NamedSandboxes, receivers: WebhookReceivers): ConsoleExtension => ({
  pages: sandboxPages,
  finders: sandboxFinders,
  menu: menuOfSandboxes,
  streams: ["/requests/stream", "/sandbox/:name/requests/stream"].map((path) => ({
    path,
    scope: "admin",
    open: (exchange, visitor, api) =>
      sandboxAccess(api, sandboxes).streamRequests(exchange, visitor, exchange.params.name),
  })),
  receive(visit, { exchange, visitor, api }) {
    const access = sandboxAccess(api, sandboxes)
    keepSandbox(visit, {
      call: onceByName((name) => access.callIn(exchange, visitor, name)),
      send: (request, name) => access.send(exchange, visitor, name, request),
      receiver: () => receivers.of(visitor.caller.account.id),
      list: () => sandboxes.list(),
      makeFrom: (file, name) => makeFromFile(sandboxes, file, { name, address: exchange.address }),
      enter: (name) => enterSandbox(sandboxes, exchange, name),
    })
  },
})

/** What the console of a named sandbox has besides that of a service. */
export const namedConsole: ConsoleExtension = { pages: {}, menu: wayOut, finders: [findWayOut] }

function onceByName(make: SandboxVisit["call"]): SandboxVisit["call"] {
  const made = new Map<string | undefined, ReturnType<SandboxVisit["call"]>>()
  return (name) => {
    const one = made.get(name) ?? make(name)
    made.set(name, one)
    return one
  }
}

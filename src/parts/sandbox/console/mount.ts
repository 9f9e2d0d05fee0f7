import type { OpenStore } from "../../../core/assembly/part.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import { consoleExtensions } from "../../console/part.ts"
import { redirectPermanently } from "../../site/pages/redirect.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { namedSandboxesPath } from "../named/path.ts"
import { requireSandboxName } from "../named/selected-name.ts"
import { receiverPath, type WebhookReceivers } from "./webhook-receiver.ts"

/** Adds the receivers of webhooks, and the redirection from the address of a named sandbox to its page. */
export function addSandboxAddresses(router: Router, receivers: WebhookReceivers): void {
  router.add(["GET"], `${namedSandboxesPath}:name`, {
    admission: "files",
    isPage: true,
    handle: ({ params }) => redirectPermanently(`./${requireSandboxName(params.name ?? "")}/`),
  })
  router.add(["POST"], `${receiverPath}/:sealed`, { admission: "files", handle: receivers.handle })
}

/** Adds the pages of sandboxes to the console of the service. */
export const extendConsole = (main: OpenStore, sandboxes: NamedSandboxes, receivers: WebhookReceivers) =>
  consoleExtensions.set(main, async () => {
    const { sandboxConsole } = await import("./extension.ts")
    return sandboxConsole(sandboxes, receivers)
  })

/** Adds the way out to the console of a named sandbox. */
export const extendNamedConsole = (named: OpenStore) =>
  consoleExtensions.set(named, async () => {
    const { namedConsole } = await import("./extension.ts")
    return namedConsole
  })

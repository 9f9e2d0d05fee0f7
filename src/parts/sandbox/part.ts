import type { OpenPart, Part, ServedStore } from "../../core/assembly/part.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { addSandboxAddresses, extendConsole } from "./console/mount.ts"
import { createWebhookReceivers, type WebhookReceivers } from "./console/webhook-receiver.ts"
import { sandbox as contract, resetMessage } from "./contract.ts"
import { addExam } from "./examination/mount.ts"
import { examPath } from "./examination/path.ts"
import { addExperiments } from "./experiments/mount.ts"
import { tryPath } from "./experiments/path.ts"
import { temporaryFiles } from "./files/temporary.ts"
import { type JournalBounds, Journals } from "./journal/journal.ts"
import type { SandboxBounds } from "./named/bounds.ts"
import { NamedSandboxes } from "./named/named.ts"
import { openSandboxMaker } from "./named/open-sandbox.ts"
import { openSandboxStore, type SandboxProcess, type SandboxStore } from "./sandbox-store.ts"
import { docsClientId } from "./seeds/clients.ts"
import { seeds } from "./seeds/contract.ts"
import { greet } from "./seeds/greeting.ts"
import { sandboxKeys } from "./seeds/keys.ts"
import { readInitialData } from "./seeds/read-initial-data.ts"
import { sampleHashes, samplePeople } from "./seeds/users.ts"
import { sandboxSettings } from "./settings.ts"

export type SandboxOverrides = { sandboxes?: Partial<SandboxBounds>; journals?: Partial<JournalBounds> }

/** Sample data and public keys; a clock, copies, a journal, faults and defects, for tests of clients. */
export const sandboxPart = ({ sandboxes: bounds, journals }: SandboxOverrides = {}): Part => ({
  name: "sandbox",
  needs: ["site", "console", "operator"],
  preload: [
    () => import("./console/extension.ts"),
    () => import("./defects/catalogue/catalogue.ts"),
    () => import("./experiments/routes.ts"),
    () => import("./examination/routes.ts"),
  ],
  async open({ config, tools }) {
    const { seed, defects } = config.read(sandboxSettings)
    const temporary = temporaryFiles(config.dataDir)
    const process = {
      initial: await readInitialData(seed, temporary.open),
      hashes: sampleHashes(tools.passwords),
      journals: new Journals(journals),
      defects,
      bounds,
      served: () => served,
    }
    let served: ReturnType<SandboxProcess["served"]> = { paths: new Map(), endpoints: [] }
    let own: SandboxStore | undefined
    let named: NamedSandboxes | undefined
    let receivers: WebhookReceivers | undefined
    const addRoutes = (router: Router, { name }: ServedStore) => {
      if (name === undefined && receivers) addSandboxAddresses(router, receivers)
    }
    const addPages = (router: Router, store: ServedStore) => {
      if (store.name !== undefined) return
      addExperiments(router, store, () => named?.visible())
      addExam(router, store, () => named)
    }
    const part: OpenPart = {
      samples: { knownKeys: sandboxKeys, docsClientId, samplePeople },
      contract,
      openStore(opening) {
        const opened = openSandboxStore(opening, process, () => named?.visible())
        own ??= opened
        return { ...opened.part, addRoutes, pages: { paths: [tryPath, examPath], add: addPages } }
      },
      [Symbol.asyncDispose]: temporary[Symbol.asyncDispose],
      serve(main) {
        const { parts } = main.shared
        const { paths = new Map() } = parts.find((one) => one.paths) ?? {}
        served = { paths, endpoints: parts.flatMap(({ endpoints = [] }) => endpoints) }
        const maker = openSandboxMaker(main, process, part)
        const sandboxes = new NamedSandboxes(maker)
        named = sandboxes
        receivers = createWebhookReceivers(main.opened.ports)
        extendConsole(main.opened, sandboxes, receivers)
        return {
          enter: (exchange, isPage) => sandboxes.enter(exchange, isPage),
          greet: (url) => greet(config, url),
          drain: () => sandboxes.drain(),
          close: () => sandboxes.close(),
          [Symbol.asyncDispose]: maker[Symbol.asyncDispose],
          async reset(name) {
            const known = seeds.find((one) => one === name)
            if (known) await own?.reset(known)
            return known && resetMessage(known)
          },
        }
      },
    }
    return part
  },
})

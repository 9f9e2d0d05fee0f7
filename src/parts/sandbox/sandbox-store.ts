import type { PartEndpoint } from "../../core/api/operations/part-endpoint.ts"
import type { ExtendedStore } from "../../core/api/store-extension.ts"
import type { OpeningStore, OpenStore, StorePart } from "../../core/assembly/part.ts"
import type { Retention } from "../../core/domain/policy.ts"
import type { SandboxClocks } from "./clock/clock.ts"
import { createSandboxTime } from "./clock/time.ts"
import type { DefectId } from "./defects/contract.ts"
import { defectiveSending } from "./defects/defective-sending.ts"
import { createDefectSwitch } from "./defects/defects.ts"
import { createFaultRules } from "./faults/fault-rules.ts"
import { faultySending } from "./faults/faulty-sending.ts"
import { type FurtherPaths, faultTargets } from "./faults/targets.ts"
import { moveSandboxTo } from "./files/address.ts"
import type { Journals } from "./journal/journal.ts"
import { recorder } from "./journal/record-request.ts"
import type { Forks, VisibleSandboxes } from "./model.ts"
import { type SandboxBounds, sandboxBounds } from "./named/bounds.ts"
import { createSandboxReset } from "./reset.ts"
import { createSandboxApi } from "./sandbox-api.ts"
import type { Seed } from "./seeds/contract.ts"
import { fillSandbox } from "./seeds/first-start.ts"
import type { InitialData } from "./seeds/initial-data.ts"
import { type Seeds, sandboxSeeds } from "./seeds/seeds.ts"

/** What the sandboxes of a process share. */
export type SandboxProcess = {
  /** What a sandbox contains at first. */
  initial: InitialData
  /** The hashes of the sample users' passwords. */
  hashes(): Promise<string[]>
  journals: Journals
  /** The defects that a sandbox has at first. */
  defects: readonly DefectId[]
  bounds: Partial<SandboxBounds> | undefined
  /** What other parts serve: paths that they give to operations, and endpoints of their own. */
  served(): { paths: FurtherPaths; endpoints: readonly PartEndpoint[] }
}

/** A sandbox: what makes a store one. */
export type SandboxStore = {
  part: StorePart
  /** Resets it once no operation is running. */
  reset(seed: Seed): Promise<void>
  /** That of the last reset, if there was one. */
  seed(): Seed | undefined
}

/** `visible` has the named sandboxes that its callers may see; undefined where there are none. `named` is what only a named one has. */
export function openSandboxStore(
  { store, clock, sealing }: OpeningStore,
  { initial, hashes, journals, ...process }: SandboxProcess,
  visible: () => VisibleSandboxes | undefined,
  named?: { clocks: SandboxClocks; forks: Forks; retention: Retention },
): SandboxStore {
  const journal = journals.open(clock)
  const faults = createFaultRules(clock)
  const defects = createDefectSwitch(process.defects)
  let seeds: Seeds
  let opened: OpenStore
  let reset: SandboxStore["reset"] | undefined
  let lastSeed: Seed | undefined

  function extend(core: ExtendedStore) {
    const { limitAdvance = sandboxBounds.limitAdvance } = process.bounds ?? {}
    const time = named && createSandboxTime(named.clocks, opened, named.retention, limitAdvance)
    const resetData = createSandboxReset(opened, seeds, time, journal)
    const sandbox = { time, forks: named?.forks, visible: visible(), journal, faults, defects }
    const resetTo = async (seed: Seed) => {
      await resetData(seed)
      lastSeed = seed
    }
    const parts = { ...sandbox, reset: resetTo, prepareReset: (seed: Seed) => seeds(seed) }
    const { paths, endpoints } = process.served()
    const made = createSandboxApi(core, parts, faultTargets(core.api, paths, endpoints))
    reset = made.reset
    return made.extension
  }

  return {
    part: {
      decorate: defectiveSending(defects, faultySending({ rules: faults, journal })),
      async fill(blobs, publicUrl) {
        seeds = sandboxSeeds({ store, clock, blobs, sealing }, initial, hashes)
        await fillSandbox(store, seeds, publicUrl)
      },
      opened(one) {
        opened = one
      },
      extend,
      observe: ({ ports, authenticate }) => recorder({ journal, publicUrl: ports.publicUrl, authenticate }),
      moveTo: (publicUrl) => moveSandboxTo(store, publicUrl),
      [Symbol.dispose]: () => journal[Symbol.dispose](),
    },
    async reset(seed) {
      await reset?.(seed)
    },
    seed: () => lastSeed,
  }
}

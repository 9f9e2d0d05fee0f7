import type { AnyOperation } from "../../domain/context.ts"
import type { Plans } from "../../domain/limits/model.ts"
import type { Store } from "../../domain/ports/store.ts"
import { sandbox as endpoints } from "../../domain/sandbox/contract.ts"
import type { SandboxParts } from "../../domain/sandbox/model.ts"
import { namedSandboxes } from "../../domain/sandbox/named/contract.ts"
import type { Seed } from "../../domain/sandbox/start/contract.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, IncomingUpload } from "../../server/exchange/exchange.ts"
import type { Admission } from "../admission/admission.ts"
import { defectsOf } from "../defects/defects.ts"
import { createFaults } from "../faults/faults.ts"
import type { FaultTarget } from "../faults/targets.ts"
import type { FurtherSteps } from "../operations/steps.ts"
import { explained } from "./explain.ts"
import { createGate, type Gate } from "./gate.ts"
import { sandboxVerbs } from "./operations.ts"

type SandboxApiParts = {
  store: Store
  sandbox: SandboxParts
  targets: ReadonlyMap<string, FaultTarget>
  plans: Plans
  publicUrl(): string
  readmit: Admission["readmit"]
  respondToError(exchange: Exchange, error: unknown): HttpResponse
  /** Ends work that would delay a reset. */
  beforeReset(): void
  /** Resets the data while no operation runs, and drops what belongs to the earlier data. */
  resetAlone(reset: () => Promise<void>): Promise<void>
}

/** What a sandbox adds to the operations on a store. */
export type SandboxApi = {
  steps: FurtherSteps
  /** Its own operations, which the OpenAPI documents omit. */
  api: Record<string, Endpoint>
  operations: Record<string, AnyOperation>
  /** Resets it once no operation is running. */
  reset(seed: Seed): Promise<void>
  /** Ends the delays of responses. */
  drain(): void
}

export function createSandboxApi(parts: SandboxApiParts): SandboxApi {
  const { sandbox, targets, readmit } = parts
  const gate = createGate()
  const faults = createFaults({ ...parts, rules: sandbox.faults })
  const defects = defectsOf(sandbox.defects, (operation) => targets.has(operation))

  async function reset(seed: Seed): Promise<void> {
    await sandbox.prepareReset(seed)
    faults.forget()
    sandbox.defects.replace()
    sandbox.time?.endAdvances()
    parts.beforeReset()
    await gate.alone(() => parts.resetAlone(() => sandbox.reset(seed)))
  }

  return {
    steps: {
      ...gateSteps(gate, readmit),
      explained: explained(parts.store),
      defects: defects.steps,
      faults: faults.step,
    },
    api: sandbox.house ? endpoints : withoutNamed,
    operations: sandboxVerbs({ ...sandbox, resetAlone: reset, targets, defectVerbs: defects.verbs }) as Record<
      string,
      AnyOperation
    >,
    reset,
    drain: faults.drain,
  }
}

const withoutNamed = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).filter(([name]) => !(name in namedSandboxes)),
)

function gateSteps(gate: Gate, readmit: Admission["readmit"]): Omit<FurtherSteps, "explained" | "defects" | "faults"> {
  return {
    gate: (next, operation) => (isGated(operation) ? (exchange) => gate.pass(next, exchange) : next),
    waitForClient(receiving, exchange, operation) {
      if (!isGated(operation)) return receiving
      return gate.whileReceiving(receiving, async () => {
        // After a reset a credential may belong to another caller, or to none.
        if (exchange.caller) exchange.caller = (await readmit(exchange, operation.endpoint)).caller
      })
    },
    uploads: (next, { endpoint }) => {
      if (!endpoint.upload) return next
      return (exchange) => {
        exchange.upload = exchange.upload && receivedOutside(gate, exchange.upload)
        return next(exchange)
      }
    },
  }
}

const receivedOutside = (gate: Gate, upload: IncomingUpload): IncomingUpload => ({
  ...upload,
  receive: () => gate.whileReceiving(upload.receive(), refuseAfterReset),
})

/** The reset itself is not one of the operations that it waits for, and a stream stays open for longer than its client waits. */
const isGated = ({ name, endpoint }: { name: string; endpoint: Endpoint }): boolean =>
  name !== "resetSandbox" && !endpoint.streams

/** The operation was admitted for the store before. */
function refuseAfterReset(): never {
  const detail = "The sandbox was reset while the file was sent. Nothing was changed. Send it again"
  throw new Problem("unavailable", detail, { retryAfter: 1 })
}

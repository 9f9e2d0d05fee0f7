import type { Step, WaitForClient } from "../../core/api/operations/steps.ts"
import type { ExtendedStore, StoreExtension } from "../../core/api/store-extension.ts"
import type { AnyOperation } from "../../core/domain/context.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import type { IncomingUpload } from "../../core/server/exchange/exchange.ts"
import { sandbox as endpoints } from "./contract.ts"
import { actingCaller } from "./defects/acting.ts"
import { defectsOf } from "./defects/defects.ts"
import { createExamRun } from "./examination/exam-run.ts"
import { examVerbs } from "./examination/exam-verbs.ts"
import { createDelays } from "./faults/delayed-responses.ts"
import { createFaults } from "./faults/faults.ts"
import type { FaultTarget } from "./faults/targets.ts"
import { createGate, type Gate, refusalAfterReset } from "./gate.ts"
import { createHolding } from "./holds/holding.ts"
import { createHolds } from "./holds/holds.ts"
import { explained, explainedAtEndpoint } from "./journal/explain.ts"
import { openJournalFeed } from "./journal/journal-feed.ts"
import type { SandboxParts } from "./model.ts"
import { namedSandboxes } from "./named/contract.ts"
import { fileReceived } from "./named/receive-file.ts"
import { fileSent } from "./named/send-file.ts"
import { sandboxVerbs } from "./operations.ts"
import type { Seed } from "./seeds/contract.ts"

/** What a sandbox adds to the operations on a store. */
type SandboxApi = {
  extension: StoreExtension
  /** Resets it once no operation is running. */
  reset(seed: Seed): Promise<void>
}

/** `targets` are what fault rules can affect. */
export function createSandboxApi(
  core: ExtendedStore,
  sandbox: SandboxParts,
  targets: ReadonlyMap<string, FaultTarget>,
): SandboxApi {
  const { ports, readmit, respondToError, streams } = core
  const { store } = ports
  const gate = createGate()
  const holds = createHolds(() => sandbox.journal.nextId())
  const holding = createHolding(holds, (waiting, operation, recheck) =>
    operation && isGated(operation) ? gate.outside(waiting, recheck) : waiting,
  )
  const faults = createFaults(sandbox.faults, ports, respondToError, holding)
  const waits = createDelays()
  const defects = defectsOf(sandbox.defects, (operation) => targets.has(operation))

  async function reset(seed: Seed): Promise<void> {
    await sandbox.prepareReset(seed)
    faults.forget()
    waits.wake()
    sandbox.defects.replace()
    exam.end()
    sandbox.time?.endAdvances()
    // Waiting logins would delay the reset too.
    ports.attempts.release()
    await gate.alone(async () => {
      // Buffered uses are those of keys that the reset removes, and the streams have sent events that it removes.
      core.uses.forget()
      await sandbox.reset(seed)
      holds.wake()
      streams.closeAll()
    })
  }

  const exam = createExamRun(sandbox, reset, targets)
  const further = { ...defects.verbs, ...examVerbs(exam, sandbox.time !== undefined) }
  const verbs = sandboxVerbs({ ...sandbox, holds }, reset, targets, further, waits)
  const waitForClient = waitThroughGate(gate, readmit)
  return {
    extension: {
      steps: [
        { step: gated(gate), after: undefined },
        { step: explained(store), after: undefined },
        { step: defects.steps.around, after: undefined },
        { step: actingCaller, after: "admitted" },
        { step: faults.step, after: "admitted" },
        { step: holding.step, after: "uploadPrepared" },
        { step: receivedThroughGate(gate), after: "uploadPrepared" },
        { step: defects.steps.inside, after: "uploadPrepared" },
        { step: fileSent(sandbox.visible), after: "uploadPrepared" },
        { step: fileReceived(sandbox.visible, waitForClient), after: "parametersRead" },
      ],
      endpointStep: (next, endpoint) => explainedAtEndpoint(faults.endpointStep(next, endpoint)),
      waitForClient,
      bound: { api: sandbox.visible ? endpoints : withoutNamed, operations: verbs as Record<string, AnyOperation> },
      streams: { streamRequests: core.openStreams(openJournalFeed(sandbox.journal)) },
      drain() {
        faults.drain()
        holds.drain()
        waits.drain()
      },
    },
    reset,
  }
}

const withoutNamed = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).filter(([name]) => !(name in namedSandboxes)),
)

/** Makes a reset wait for running operations, and operations for a reset. */
const gated =
  (gate: Gate): Step =>
  (next, operation) =>
    isGated(operation) ? (exchange) => gate.pass(next, exchange) : next

/** Lets a reset run while a client sends. */
const waitThroughGate =
  (gate: Gate, readmit: ExtendedStore["readmit"]): WaitForClient =>
  (receiving, exchange, operation) => {
    if (!isGated(operation)) return receiving
    return gate.outside(receiving, async () => {
      // After a reset a credential may belong to another caller, or to none.
      if (exchange.caller) exchange.caller = (await readmit(exchange, operation.endpoint)).caller
    })
  }

const receivedThroughGate =
  (gate: Gate): Step =>
  (next, { endpoint }) => {
    if (!endpoint.upload) return next
    return (exchange) => {
      exchange.upload = exchange.upload && receivedOutside(gate, exchange.upload)
      return next(exchange)
    }
  }

const receivedOutside = (gate: Gate, upload: IncomingUpload): IncomingUpload => ({
  ...upload,
  receive: () => gate.outside(upload.receive(), refusedAfterReset),
})

/** The operation was admitted for the store before. */
const refusedAfterReset = refusalAfterReset("the file was sent")

/** Operations that reset the sandbox. */
const resetting: ReadonlySet<string> = new Set(["resetSandbox", "startExamTask"])

/** The reset itself is not one of the operations that it waits for, and a stream or a check that waits stays for longer than its client. */
const isGated = ({ name, endpoint }: { name: string; endpoint: Endpoint }): boolean =>
  !resetting.has(name) && !endpoint.streams && !endpoint.waits

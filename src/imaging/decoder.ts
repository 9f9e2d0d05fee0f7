import type { ImageDecoder } from "../domain/ports/decoder.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { gauge, type Measured } from "../kernel/measure.ts"
import { problem } from "../kernel/problem.ts"
import { decodersWithin, retirementBytes } from "./decoder-memory.ts"
import { fairTurns } from "./turns.ts"
import { startWorker, type Worker } from "./worker.ts"

/** The bounds decoding stays within. */
export type DecoderLimits = ReturnType<typeof decodersWithin> & {
  /** How many images of one account may wait for their turn. */
  waitingMax: number
  timeoutMs: number
  /** After how long without work a process ends. */
  idleMs: number
}

const defaults = { waitingMax: 16, timeoutMs: 30_000, idleMs: 60_000 }

/**
 * Decodes in processes of their own, started when needed and kept for a while: an image that crashes the decoder, or
 * makes it slow or huge, ends such a process and is refused. Accounts share them by time.
 */
export function decoderProcesses(chosen: Partial<DecoderLimits> = {}): ImageDecoder & Disposable & Measured {
  const limits: DecoderLimits = { ...defaults, ...decodersWithin(Number.POSITIVE_INFINITY), ...chosen }
  const idle = new Set<Worker>()
  const all = new Set<Worker>()
  const { processes: atOnce, waitingMax } = limits
  const { inTurn, waiting } = fairTurns({ atOnce, waitingMax }, () => performance.now())

  function takeWorker(): Worker {
    const [rested] = idle
    if (rested === undefined) {
      const worker = startWorker(limits.memoryBytesMax)
      all.add(worker)
      void worker.ended.then(() => all.delete(worker) && idle.delete(worker))
      return worker
    }
    idle.delete(rested)
    return rested
  }

  /** Keeps a process that may be needed again soon, unless it has grown. */
  async function release(worker: Worker, memoryBytes: number): Promise<void> {
    if (memoryBytes > retirementBytes) {
      worker.kill()
      // The next one begins when this one's memory is free.
      await worker.ended
      return
    }
    idle.add(worker)
    const { jobs } = worker
    setTimeout(() => worker.jobs === jobs && worker.kill(), limits.idleMs).unref()
  }

  return {
    decode: (file, directory, accountId) =>
      inTurn(accountId, async () => {
        const worker = takeWorker()
        const report = await worker.run({ file, directory }, limits.timeoutMs)
        if (report === undefined)
          return problem("unreadable-image", "The image takes more time or memory to decode than there is for one")
        await release(worker, report.memoryBytes)
        if (report.kind === "failed") throw new StoreUnavailable(report.reason)
        if (report.kind === "refused") return problem(report.code, report.detail)
        return report.decoded
      }),
    metrics: [gauge("petstore_decodings_waiting", "Images that wait to be decoded", waiting)],
    [Symbol.dispose]() {
      for (const worker of all) worker.kill()
    },
  }
}

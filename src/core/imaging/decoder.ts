// Decision: docs/decisions/images.md#images-are-decoded-in-separate-processes

import type { ImageDecoder } from "../domain/ports/decoder.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { gauge, type Measured } from "../kernel/measure.ts"
import { problem } from "../kernel/problem.ts"
import { type DecoderMemory, decodersWithin, retirementBytes } from "./decoder-memory.ts"
import { fairQueue } from "./fair-queue.ts"
import { startWorker, type Worker } from "./worker.ts"

export type DecoderLimits = DecoderMemory & {
  /** Waiting images per account. */
  waitingMax: number
  timeoutMs: number
  /** Idle time after which a process ends. */
  idleMs: number
}

const defaults = { waitingMax: 16, timeoutMs: 30_000, idleMs: 60_000 }

/**
 * Decodes in separate processes, which are started on demand and reused. An image that crashes its decoder or exceeds a limit
 * ends the process and is refused. Accounts share the processes fairly by time.
 */
export function decoderProcesses(chosen: Partial<DecoderLimits> = {}): ImageDecoder & Disposable & Measured {
  const limits: DecoderLimits = { ...defaults, ...decodersWithin(Number.POSITIVE_INFINITY), ...chosen }
  const idle = new Set<Worker>()
  const all = new Set<Worker>()
  const { processes: atOnce, waitingMax } = limits
  const { run, waiting } = fairQueue({ atOnce, waitingMax }, () => performance.now())

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

  /** Keeps a process for reuse, unless it uses too much memory. */
  async function release(worker: Worker, memoryBytes: number): Promise<void> {
    if (memoryBytes > retirementBytes) {
      worker.kill()
      // The next one starts when this one's memory is free.
      await worker.ended
      return
    }
    idle.add(worker)
    const { jobs } = worker
    // Not idle from now on: an image that comes before its end would be refused.
    setTimeout(() => worker.jobs === jobs && idle.delete(worker) && worker.kill(), limits.idleMs).unref()
  }

  return {
    decode: (file, directory, accountId) =>
      run(accountId, async () => {
        const worker = takeWorker()
        const report = await worker.run({ file, directory }, limits.timeoutMs)
        if (report === undefined)
          return problem("unreadable-image", "Decoding the image exceeds the time or memory limit")
        await release(worker, report.memoryBytes)
        if (report.kind === "failed") throw new StoreUnavailable(report.reason)
        if (report.kind === "refused") return problem(report.code, report.detail)
        return report.decoded
      }),
    metrics: [gauge("petstore_decodings_waiting", "Images waiting to be decoded", waiting)],
    [Symbol.dispose]() {
      for (const worker of all) worker.kill()
    },
  }
}

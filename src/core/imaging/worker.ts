import { fork } from "node:child_process"
import { once } from "node:events"
import { extname } from "node:path"
import { programFile } from "../../program.ts"
import type { Decoded } from "../domain/ports/decoder.ts"
import { Problem } from "../kernel/problem.ts"

/** A file to decode, and the output directory. */
export type DecodeJob = { file: string; directory: string }

/** A message of a decoder process: first `ready`, then one per job. */
export type DecoderReport = { kind: "ready" } | Done

/** The result of a job, and the memory that the process uses after it. */
type Done = { memoryBytes: number } & (
  | { kind: "decoded"; decoded: Decoded }
  | { kind: "refused"; code: "unsupported-image" | "unreadable-image" | "image-too-large"; detail: string }
  /** The machine failed, not necessarily because of the image. */
  | { kind: "failed"; reason: string }
)

/** A process that decodes one image at a time. */
export type Worker = {
  /** The number of jobs that it was given. */
  readonly jobs: number
  /** Resolves when the process has ended or could not be started. */
  ended: Promise<unknown>
  kill(): void
  /** Undefined when the process crashed or exceeded the timeout. Throws when it could not be started. */
  run(job: DecodeJob, timeoutMs: number): Promise<Done | undefined>
}

/** The TypeScript source, or its build. */
const program = programFile(`core/imaging/worker-main${extname(import.meta.filename)}`)
const startTimeoutMs = 20_000
/** Fewer arenas reduce memory fragmentation between images of different sizes. */
const env = { MALLOC_ARENA_MAX: "2" }

export function startWorker(memoryBytesMax: number): Worker {
  const child = fork(program, [`${memoryBytesMax}`], {
    execArgv: [],
    env,
    // Decoders warn about every irregularity of an image, which would flood the log.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  // `ended` also resolves in this case.
  child.on("error", () => undefined)
  child.unref()
  child.channel?.unref()
  const ended: Promise<unknown> = once(child, "exit").catch(() => undefined)
  const kill = (): void => void child.kill("SIGKILL")

  /** The next report; undefined when the process ends, could not be started or reached, or the timeout expires first. */
  async function report(timeoutMs: number): Promise<DecoderReport | undefined> {
    const timer = setTimeout(kill, timeoutMs)
    const message = once(child, "message").then(
      ([report]) => report as DecoderReport,
      () => undefined,
    )
    try {
      return await Promise.race([message, ended.then(() => undefined)])
    } finally {
      clearTimeout(timer)
    }
  }

  const ready = report(startTimeoutMs)
  let jobs = 0
  return {
    get jobs() {
      return jobs
    },
    ended,
    kill,
    async run(job, timeoutMs) {
      jobs++
      if ((await ready) === undefined) throw new Problem("unavailable", "Images cannot be decoded on this machine")
      if (child.connected) child.send(job)
      return (await report(timeoutMs)) as Done | undefined
    },
  }
}

import { fork } from "node:child_process"
import { once } from "node:events"
import { extname, join } from "node:path"
import type { Decoded } from "../domain/ports/decoder.ts"
import { Problem } from "../kernel/problem.ts"

/** A file to decode, and the directory to write the result into. */
export type DecodeJob = { file: string; directory: string }

/** What a decoder process reports: that it can begin, then how each job went. */
export type DecoderReport = { kind: "ready" } | Done

/** How a job went, and how much memory the process holds after it. */
type Done = { memoryBytes: number } & (
  | { kind: "decoded"; decoded: Decoded }
  | { kind: "refused"; code: "unsupported-image" | "unreadable-image" | "image-too-large"; detail: string }
  /** The machine failed; the image may be fine. */
  | { kind: "failed"; reason: string }
)

/** A process that decodes one image at a time. */
export type Worker = ReturnType<typeof startWorker>

/** The source unbuilt, or what was made from it. */
const program = join(import.meta.dirname, `worker-main${extname(import.meta.filename)}`)
const startTimeoutMs = 20_000
/** Fewer arenas waste less memory between images of different sizes. */
const env = { MALLOC_ARENA_MAX: "2" }

export function startWorker(memoryBytesMax: number) {
  const child = fork(program, [`${memoryBytesMax}`], {
    execArgv: [],
    env,
    // Decoders warn about every oddity of an image, which would only fill the log.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  // `ended` resolves in this case too.
  child.on("error", () => undefined)
  child.unref()
  child.channel?.unref()
  const ended: Promise<unknown> = once(child, "exit").catch(() => undefined)
  const kill = (): void => void child.kill("SIGKILL")

  /** The next report, or undefined when the process ends or the time is over first. */
  async function report(timeoutMs: number): Promise<DecoderReport | undefined> {
    const timer = setTimeout(kill, timeoutMs)
    const message = once(child, "message").then(([report]) => report as DecoderReport)
    try {
      return await Promise.race([message, ended.then(() => undefined)])
    } finally {
      clearTimeout(timer)
    }
  }

  const ready = report(startTimeoutMs)
  let jobs = 0
  return {
    get jobs(): number {
      return jobs
    },
    ended,
    kill,
    /** Undefined when the process did not survive the job or took too long. Throws when it could not be started at all. */
    async run(job: DecodeJob, timeoutMs: number): Promise<Done | undefined> {
      jobs++
      if ((await ready) === undefined) throw new Problem("unavailable", "Images cannot be decoded on this machine")
      if (child.connected) child.send(job)
      return (await report(timeoutMs)) as Done | undefined
    },
  }
}

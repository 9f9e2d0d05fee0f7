import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Decoded } from "../domain/ports.ts"
import { Problem } from "../kernel/problem.ts"

export type Job = { file: string; directory: string }

/** What a decoder process says: that it can begin, then how each job went. */
export type Report = { kind: "ready" } | Done

/** How a job went, and how much memory the process holds after it. */
export type Done = { memoryBytes: number } & Outcome

type Outcome =
  | { kind: "decoded"; decoded: Decoded }
  | { kind: "refused"; code: "unsupported-image" | "unreadable-image" | "image-too-large"; detail: string }
  /** The machine failed, not the picture. */
  | { kind: "failed"; reason: string }

/** A process that decodes one picture at a time. */
export type Worker = {
  /** How many jobs it has been given. */
  readonly jobs: number
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  /** Undefined when the process did not survive the job or took too long. Throws when it could not be started at all. */
  run(job: Job, timeoutMs: number): Promise<Done | undefined>
  kill(): void
}

const startTimeoutMs = 20_000
/** Fewer arenas waste less memory between pictures of different sizes. */
const env = { MALLOC_ARENA_MAX: "2" }

export function startWorker(memoryBytesMax: number): Worker {
  const child = fork(fileURLToPath(new URL("./worker-main.ts", import.meta.url)), [`${memoryBytesMax}`], {
    execArgv: [],
    env,
    // Decoders warn about every oddity of a picture; that is nobody's business.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  // It ends either way, and then whoever waits for it is told.
  child.on("error", () => undefined)
  child.unref()
  child.channel?.unref()
  const ended = once(child, "exit").catch(() => undefined)
  const kill = () => void child.kill("SIGKILL")

  /** The next report, or undefined when the process ends or the time is over first. */
  async function report(timeoutMs: number): Promise<Report | undefined> {
    const timer = setTimeout(kill, timeoutMs)
    const said = once(child, "message").then(([report]) => report as Report)
    try {
      return await Promise.race([said, ended.then(() => undefined)])
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
      if ((await ready) === undefined) throw new Problem("unavailable", "Photos cannot be decoded on this machine")
      if (child.connected) child.send(job)
      return (await report(timeoutMs)) as Done | undefined
    },
  }
}

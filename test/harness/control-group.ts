import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "./until.ts"

const version1 = "/sys/fs/cgroup/memory"
const isVersion1 = existsSync(join(version1, "memory.limit_in_bytes"))
const root = isVersion1 ? version1 : "/sys/fs/cgroup"
const files = isVersion1
  ? { limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes", kills: "memory.oom_control" }
  : { limit: "memory.max", peak: "memory.peak", kills: "memory.events" }

/** A control group that limits the memory of processes; undefined when this process cannot create one. */
export function limitedMemory(bytes: number) {
  const path = join(root, `petstore-test-${process.pid}`)
  try {
    mkdirSync(path)
    writeFileSync(join(path, files.limit), `${bytes}`)
  } catch {
    if (existsSync(path)) rmdirSync(path)
    return undefined
  }
  const read = (name: keyof typeof files) => readFileSync(join(path, files[name]), "utf8")
  return {
    /** Runs a command line in the group. */
    under: ["sh", "-c", `echo $$ > ${join(path, "cgroup.procs")} && exec "$@"`, "sh"],
    /** Peak memory of all its processes together. */
    peakBytes: () => Number(read("peak")),
    /** Number of its processes that the kernel has killed. */
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read("kills"))?.[1]),
    /** Waits until all its processes have ended. */
    async [Symbol.asyncDispose]() {
      const isEmpty = () => readFileSync(join(path, "cgroup.procs"), "utf8") === ""
      await until(isEmpty, "a process of the control group did not end")
      rmdirSync(path)
    },
  }
}

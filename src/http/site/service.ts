import type { Metric } from "../../kernel/measure.ts"
import { Problem } from "../../kernel/problem.ts"
import type { ServiceInfo } from "../../web/console/page.ts"
import type { Operating } from "../operations/operating.ts"

/** What else pages say of the service than what its HTTP server knows. */
export type About = Pick<ServiceInfo, "version" | "imageOrigin" | "runsOn" | "lastBackup"> & {
  metrics: readonly Metric[]
}

/** What pages say of the service. */
export const describeService = (
  { ports, traffic, requireReady }: Pick<Operating, "ports" | "traffic" | "requireReady">,
  { metrics, ...about }: About,
): ServiceInfo => ({
  ...about,
  publicUrl: ports.publicUrl,
  now: ports.clock.now,
  traffic,
  async readiness() {
    try {
      return { without: await requireReady() }
    } catch (error) {
      if (error instanceof Problem) return { reason: error.detail }
      throw error
    }
  },
  async measure(name) {
    const metric = metrics.find((each) => each.name === name)
    return metric?.type === "gauge" ? metric.read() : []
  },
})

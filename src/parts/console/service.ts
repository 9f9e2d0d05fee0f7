import type { Api } from "../../core/api/operations/api.ts"
import type { Metric } from "../../core/kernel/measure.ts"
import { Problem } from "../../core/kernel/problem.ts"
import type { ServiceInfo } from "./pages/page.ts"

/** Facts that pages show besides those of the HTTP server. */
export type About = Pick<ServiceInfo, "version" | "site" | "imageOrigin" | "runsOn" | "lastBackup"> & {
  metrics: readonly Metric[]
}

export const describeService = (
  { ports, traffic, requireReady }: Pick<Api, "ports" | "traffic" | "requireReady">,
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

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Api } from "../../api/operations/api.ts"
import { Counts, counter, gauge } from "../../kernel/measure.ts"
import { Problem } from "../../kernel/problem.ts"
import { describeService } from "./service.ts"

type Part = Pick<Api, "ports" | "traffic" | "requireReady">

function describe(requireReady: Api["requireReady"]) {
  const ports = { publicUrl: () => "https://pets.example", clock: { now: () => 7 } } as Api["ports"]
  const part: Part = { ports, traffic: () => [], requireReady }
  const metrics = [
    gauge("some", "Some", () => 5),
    gauge("none", "None", () => undefined),
    counter("counted", "Counted", "kind", new Counts(["some"])),
  ]
  const about = { version: "1", sandbox: "mine", imageOrigin: undefined, runsOn: {}, hasPublicStore: true }
  return describeService(part, { ...about, lastBackup: () => undefined, metrics })
}

test("gauges are read by their name, and no other metric", async () => {
  const service = describe(async () => [])
  assert.deepEqual(await service.measure("some"), [{ labels: {}, value: 5 }])
  for (const name of ["none", "counted", "unknown"]) assert.deepEqual(await service.measure(name), [])
  assert.deepEqual(
    [service.version, service.sandbox, service.now(), service.publicUrl()],
    ["1", "mine", 7, "https://pets.example"],
  )
})

test("a service that is not ready says why; a failure of the question is one", async () => {
  const readiness = (ready: Api["requireReady"]) => describe(ready).readiness()
  assert.deepEqual(await readiness(async () => ["Redis"]), { without: ["Redis"] })
  const problem = new Problem("unavailable", "The disk is full")
  assert.deepEqual(await readiness(() => Promise.reject(problem)), { reason: "The disk is full" })
  await assert.rejects(
    readiness(() => Promise.reject(new Error("a bug"))),
    /a bug/,
  )
})

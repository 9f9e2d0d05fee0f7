// Measures the delay from an event's commit to its first attempt, and the cost of dead endpoints for live ones.

import { systemClock } from "../src/core/kernel/clock.ts"
import { startPetstore } from "../test/harness/petstore.ts"
import { startReceiver } from "../test/harness/receiver.ts"

const samples = Number(process.argv[2] ?? 300)
const events = Number(process.argv[3] ?? 200)

console.log("commit to first attempt:", await latency())
const without = await throughput(0)
const beside = await throughput(5)
console.log(
  `${events} events to 15 live endpoints: ${without.toFixed(0)} ms; with 5 more dead ones: ${beside.toFixed(0)} ms,`,
)
console.log(
  `${(beside / without).toFixed(2)} times as long; ${((events * 15_000) / beside).toFixed(0)} deliveries a second`,
)

async function latency(): Promise<string> {
  await using receiver = await startReceiver()
  await using petstore = await startPetstore({ delivery: { clock: systemClock } })
  const store = petstore.as("special-key")
  await store.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
  const delays: number[] = []
  for (let n = 0; n < samples; n++) {
    await store.addPet({ body: { name: `${n}`, photoUrls: [] } })
    const committed = performance.now()
    await receiver.until(({ length }) => length > n)
    delays.push((receiver.received[n]?.at ?? 0) - committed)
  }
  delays.sort((a, b) => a - b)
  const at = (share: number) => `${(delays[Math.floor(delays.length * share)] ?? 0).toFixed(1)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)} (after the response; negative: before it)`
}

async function throughput(dead: number): Promise<number> {
  await using live = await startReceiver()
  await using silent = await startReceiver()
  silent.respond(() => {})
  await using petstore = await startPetstore({ delivery: { clock: systemClock } })
  const store = petstore.as("special-key")
  for (let n = 0; n < 15 + dead; n++)
    await store.createWebhook({ body: { url: `${n < 15 ? live.url : silent.url}/${n}`, events: ["pet.created"] } })
  const began = performance.now()
  for (let n = 0; n < events; n += 20)
    await Promise.all(Array.from({ length: 20 }, () => store.addPet({ body: { name: "Rex", photoUrls: [] } })))
  await live.until(({ length }) => length === events * 15)
  return performance.now() - began
}

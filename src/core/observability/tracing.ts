import type { Logger } from "pino"
import type { ImageDecoder } from "../domain/ports/decoder.ts"
import type { Database } from "../domain/ports/store.ts"
import type { Tracer } from "../kernel/network/trace.ts"

/** Sends traces to a collector over OTLP. OpenTelemetry is loaded only when traces are enabled. */
export async function openTracing(endpoint: string, version: string, log: Logger): Promise<Tracer & AsyncDisposable> {
  const { createTracer } = await import("./open-telemetry.ts")
  return createTracer(endpoint, version, log)
}

/** Traces the transactions of a database, from the call until they are durable. */
export const traceTransactions = (store: Database, tracer: Tracer): Database => ({
  ...store,
  transaction: (work) => tracer.part("transaction", () => store.transaction(work)),
  shared: (work, input) => tracer.part("transaction", () => store.shared(work, input)),
})

/** Traces the decoding of images, including the wait for a slot. */
export const traceDecoding = <Decoder extends ImageDecoder>(decoder: Decoder, tracer: Tracer): Decoder => ({
  ...decoder,
  decode: (file: string, directory: string, accountId: number) =>
    tracer.part("decode image", () => decoder.decode(file, directory, accountId)),
})

import type { ImageDecoder } from "../domain/ports/decoder.ts"
import type { Database } from "../domain/ports/store.ts"
import type { Tracer } from "../kernel/network/trace.ts"
import type { TracingDeps } from "./open-telemetry.ts"

/** Sends traces to a collector over OTLP. OpenTelemetry is loaded only by services that do. */
export async function openTracing(options: TracingDeps): Promise<Tracer & AsyncDisposable> {
  const { createTracer } = await import("./open-telemetry.ts")
  return createTracer(options)
}

/** The same database; its transactions, from when they are asked for until they are durable, are parts of traces. */
export const traceTransactions = (store: Database, tracer: Tracer): Database => ({
  ...store,
  transaction: (work) => tracer.part("transaction", () => store.transaction(work)),
})

/** The same decoder; decoding, waiting for a turn included, is part of traces. */
export const traceDecoding = <Decoder extends ImageDecoder>(decoder: Decoder, tracer: Tracer): Decoder => ({
  ...decoder,
  decode: (file: string, directory: string, accountId: number) =>
    tracer.part("decode image", () => decoder.decode(file, directory, accountId)),
})

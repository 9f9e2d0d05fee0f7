import { hash, randomBytes } from "node:crypto"
import { version } from "../../program.ts"
import { openIssuer } from "../api/authentication/open-issuer.ts"
import type { Config } from "../config/config.ts"
import { argon2Passwords } from "../crypto/argon2.ts"
import { decoderProcesses } from "../imaging/decoder.ts"
import { decodersWithin } from "../imaging/decoder-memory.ts"
import { steadyClock, systemClock } from "../kernel/clock.ts"
import { isLoopback } from "../kernel/network/ip-address.ts"
import { reportIssuer } from "../observability/greeting.ts"
import type { Log } from "../observability/log.ts"
import { memoryLimit } from "../observability/memory-limit.ts"
import { oncePerCause } from "../observability/once-per-cause.ts"
import { openTracing, traceDecoding } from "../observability/tracing.ts"
import { localStorage } from "../storage/open.ts"
import { allowAddresses } from "../workers/delivery/sending/address-guard.ts"
import { createResolver } from "../workers/delivery/sending/resolve-name.ts"
import type { Overrides } from "./overrides.ts"
import { type Core, noSamples, type OpenPart, type Part, type Shared } from "./part.ts"

/** Opens what the stores of a process share: clocks, log, tracer, decoder processes, password hashing, and the parts. */
export async function openShared(
  config: Config,
  written: Log["log"],
  overrides: Overrides,
  parts: readonly Part[],
): Promise<Shared> {
  await using opened = new AsyncDisposableStack()
  const core = await openCore(opened, config, written, overrides)
  const externalIssuer = opened.use(await openIssuer(config.externalIssuer, core.steady, reportIssuer(core.log)))
  const open: OpenPart[] = []
  for (const part of parts) {
    const one = await part.open(core)
    opened.defer(async () => one[Symbol.asyncDispose]?.())
    open.push(one)
  }
  const { samples = noSamples } = open.find((one) => one.samples) ?? {}
  const { storage = localStorage } = open.find((one) => one.storage) ?? {}
  const kept = opened.move()
  return {
    ...core,
    tools: {
      ...core.tools,
      knownKeys: new Set(samples.knownKeys.map(({ secret }) => hash("sha256", secret))),
      knownPeople: new Map(samples.samplePeople.map(({ username, role }) => [username, role])),
    },
    externalIssuer,
    samples,
    storage,
    parts: open,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function openCore(
  opened: AsyncDisposableStack,
  config: Config,
  written: Log["log"],
  overrides: Overrides,
): Promise<Core> {
  const { clock = systemClock, steady = steadyClock } = overrides
  const log = oncePerCause(written, steady)
  const { traceEndpoint: endpoint, plans, policy, photoBytes: imageBytesMax } = config
  const tracer = endpoint === undefined ? undefined : opened.use(await openTracing(endpoint, version, log))
  const processes = opened.use(decoderProcesses({ ...decodersWithin(memoryLimit()), ...overrides.decoding }))
  const passwords = argon2Passwords(overrides.hashing)
  const allowed = allowAddresses(config.profile !== "production", isLoopback(config.host), config.webhookAllow)
  return {
    config,
    clock,
    steady,
    realSteady: steady,
    log,
    tracer,
    overrides,
    tools: {
      clock,
      log,
      passwords,
      plans,
      policy,
      imageBytesMax,
      random: randomBytes,
      decoder: tracer ? traceDecoding(processes, tracer) : processes,
      sha256: (text) => hash("sha256", text),
    },
    delivery: { clock, realClock: clock, log, allowed, tracer, resolve: createResolver(), ...overrides.delivery },
    address: { publicUrl: config.publicUrl ?? "" },
    metrics: [...passwords.metrics, ...processes.metrics],
  }
}

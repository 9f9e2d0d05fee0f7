import { CannotStart } from "./kernel/cannot-start.ts"

/** The settings for what the service tells about itself; part of the table in settings.ts. */
export const observabilitySettings = {
  PETSTORE_METRICS_PORT: {
    meaning: "Port that serves `/metrics` on the same address, to everybody who reaches it; 0 takes a free one",
    default: "none (sandbox: /metrics on PETSTORE_PORT)",
  },
  PETSTORE_LOG_LEVEL: {
    meaning: "The least level of log lines: `debug`, `info`, `warn` or `error`; requests are `info`",
    default: "info",
  },
  PETSTORE_LOG_FORMAT: {
    meaning: "`json`, a line each; or `text`, for people",
    default: "text at a terminal, else json",
  },
  PETSTORE_LOG_ADDRESS: {
    meaning: "How the log names clients: `full`, `truncated` (without the last 8 bits of IPv4, 80 of IPv6) or `none`",
    default: "truncated",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      "Where traces are sent (OTLP over HTTP), such as http://127.0.0.1:4318; other `OTEL_*` variables apply too",
    default: "none",
  },
} as const

const levels = ["debug", "info", "warn", "error"] as const
const formats = ["json", "text"] as const
const addresses = ["full", "truncated", "none"] as const

export type LogSettings = {
  level: (typeof levels)[number]
  /** Undefined when it follows from where the log goes. */
  format: (typeof formats)[number] | undefined
  address: (typeof addresses)[number]
}

type Name = keyof typeof observabilitySettings
type Environment = Record<string, string | undefined>

/** Reads how the service logs; throws CannotStart for an invalid value. */
export function logSettingsOf(env: Environment): LogSettings {
  return {
    level: oneOf("PETSTORE_LOG_LEVEL", env, levels) ?? "info",
    format: oneOf("PETSTORE_LOG_FORMAT", env, formats),
    address: oneOf("PETSTORE_LOG_ADDRESS", env, addresses) ?? "truncated",
  }
}

/** Reads where traces are sent; undefined when they are not. Throws CannotStart for an invalid value. */
export function traceEndpointOf({ OTEL_EXPORTER_OTLP_ENDPOINT: value }: Environment): string | undefined {
  if (!value) return undefined
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? "")) return value
  throw new CannotStart(`OTEL_EXPORTER_OTLP_ENDPOINT is ${JSON.stringify(value)}; it must be an http or https address`)
}

function oneOf<const T extends string>(name: Name, env: Environment, allowed: readonly T[]): T | undefined {
  const value = env[name]
  if (!value) return undefined
  const known = allowed.find((one) => one === value)
  if (known !== undefined) return known
  throw new CannotStart(`${name} is ${JSON.stringify(value)}; it must be ${allowed.join(" or ")}`)
}

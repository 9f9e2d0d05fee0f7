import { otlpEndpoint } from "./addresses.ts"
import { oneOf, port } from "./kinds.ts"
import type { Topic } from "./setting.ts"

export const logging = {
  level: {
    variable: "PETSTORE_LOG_LEVEL",
    kind: oneOf("debug", "info", "warn", "error"),
    default: "info",
    meaning: "Minimum level of log lines; requests are `info`",
  },
  format: {
    variable: "PETSTORE_LOG_FORMAT",
    kind: oneOf("json", "text"),
    otherwise: "text at a terminal, else json",
    meaning: "`json` writes an object per line; `text` is for reading",
  },
  address: {
    variable: "PETSTORE_LOG_ADDRESS",
    kind: oneOf("full", "truncated", "none"),
    default: "truncated",
    meaning:
      "How the log identifies clients: `full`, `truncated` (without the last 8 bits of IPv4, 80 of IPv6) or `none`",
  },
} as const satisfies Topic

/** Where metrics and traces are available. */
export const telemetry = {
  metricsPort: {
    variable: "PETSTORE_METRICS_PORT",
    kind: port,
    otherwise: "none (sandbox: /metrics on PETSTORE_PORT)",
    meaning: "Port that serves `/metrics` without a credential, on the same address; 0 selects a free one",
  },
  traceEndpoint: {
    variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
    kind: otlpEndpoint,
    meaning:
      "Where traces are sent (OTLP over HTTP), such as http://127.0.0.1:4318; other `OTEL_*` variables apply too",
  },
} as const satisfies Topic

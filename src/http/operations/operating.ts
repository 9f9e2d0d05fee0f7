import type { Logger } from "pino"
import type { Ports } from "../../domain/ports/ports.ts"
import type { UploadShape } from "../../kernel/endpoint.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { TrafficSlot } from "../../kernel/measure.ts"
import type { Principal } from "../authentication/principal-cache.ts"
import type { Streams } from "../event-stream/streams.ts"
import type { Admission } from "../pipeline/admission.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { AccountQuota } from "../rate-limiting/account-quota.ts"
import type { Incoming, Sent } from "../reading/upload.ts"
import type { Readiness } from "../server/health.ts"
import type { ToProblem } from "../writing/problem-response.ts"
import type { Invocable } from "./invoke.ts"

/** With what pages run the operations of the service. */
export type Operating = AccountQuota &
  Pick<Admission, "admitKnown" | "readmit"> & {
    ports: Ports & { log: Logger }
    invocables: readonly Invocable[]
    /** Who a credential stands for; throws the 401 when it does not hold. */
    authenticate(request: Pick<Exchange["request"], "headers" | "socket">, address: string): Awaitable<Principal>
    streams: Streams
    receive(sent: Sent, shape: UploadShape): Incoming
    /** Keeps a response open for as long as the client reads what is written. */
    expectStream(exchange: Exchange): void
    toProblem: ToProblem
    requireReady: Readiness
    /** Recent requests to this process, by minute. */
    traffic(): readonly TrafficSlot[]
  }

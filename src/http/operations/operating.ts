import type { Store } from "../../domain/ports/store.ts"
import type { Endpoint, UploadShape } from "../../kernel/endpoint.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { TrafficSlot } from "../../kernel/measure.ts"
import type { Principal } from "../authentication/principal-cache.ts"
import type { Streams } from "../event-stream/streams.ts"
import type { Readmit } from "../pipeline/admission.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { AccountQuota } from "../rate-limiting/account-quota.ts"
import type { LoadShedding } from "../rate-limiting/load-shedding.ts"
import type { Incoming, Sent } from "../reading/upload.ts"
import type { Readiness } from "../server/health.ts"
import type { ToProblem } from "../writing/problem-response.ts"
import type { idempotency } from "./idempotency.ts"
import type { Running } from "./run-operation.ts"

/** With what pages run the operations of the service. */
export type Operating = Running &
  AccountQuota & {
    store: Store
    load: LoadShedding
    /** Who a credential stands for; throws the 401 when it does not hold. */
    authenticate(request: Pick<Exchange["request"], "headers" | "socket">, address: string): Awaitable<Principal>
    /** Throws unless somebody who is known may begin the operation; nothing is counted. */
    admitKnown(known: Pick<Exchange, "caller" | "address">, endpoint: Endpoint): Awaitable<void>
    readmit: Readmit
    streams: Streams
    once: ReturnType<typeof idempotency>
    receive(sent: Sent, shape: UploadShape): Incoming
    /** Lets a response go on for as long as the client reads what is written. */
    expectStream(exchange: Exchange): void
    toProblem: ToProblem
    requireReady: Readiness
    /** What this process was asked lately. */
    traffic(): readonly TrafficSlot[]
  }

// Decision: docs/decisions/openapi.md#examples-of-responses-are-recorded

import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { exampleOf } from "./example.ts"
import { responses } from "./responses.ts"

/** What the service responded to the example of the request. Where nothing is recorded it is composed, but not for a stream. */
export const responseExample = (operationId: string, { response, streams }: Endpoint): unknown =>
  responses[operationId] ?? (streams ? undefined : exampleOf(response))

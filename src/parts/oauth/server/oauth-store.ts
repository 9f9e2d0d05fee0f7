import type { Logger } from "pino"
import type { ExternalIssuer } from "../../../core/api/authentication/external-issuer.ts"
import type { EndpointStep } from "../../../core/api/operations/part-endpoint.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import type { Invalidation } from "../../../core/domain/ports/signals.ts"
import type { IpRateLimit } from "../../../core/server/limits/ip-rate-limit.ts"
import type { SamplePerson } from "../../site/sample-person.ts"
import type { ReadDocument } from "./documents.ts"

/** A store as its authorization server uses it. */
export type OAuthStore = {
  ports: Ports & { log: Logger }
  signals: Invalidation
  /** Lets the requests to an endpoint pass the steps of other parts. */
  surround: EndpointStep
  limitAddress: IpRateLimit
  readDocument: ReadDocument
  /** The base address of the pages, also those of a named store, whose own base address is another. */
  siteUrl(): string
  /** The path of the pages that document the API; undefined without them. */
  docsPath: string | undefined
  externalIssuer: ExternalIssuer | undefined
  /** Whether applications run on developers' machines. */
  hasKnownKeys: boolean
  /** Users whose passwords are public: a click signs in as one, and customers who cannot consent are told of the staff. */
  samplePeople: readonly SamplePerson[]
}

import type { Static } from "typebox"
import { Id, object, time } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { endpointsWith } from "../../endpoint.ts"

const example: [string] = ["2026-01-01T00:00:00.000Z"]

export const Consent = object("Consent", {
  id: Id,
  clientId: Type.String({ description: "`client_id` of the application", examples: ["poc_5vP0kXzq2Jm8"] }),
  clientName: Type.String({ description: "Name of the application", examples: ["Pet walker"] }),
  scopes: Type.Array(Type.String(), {
    description: "The scopes that the person granted; `openid` identifies the person",
    examples: [["read:pets"]],
  }),
  givenAt: time("When the person first consented", example),
  expiresAt: time("When it expires, 90 days later", example),
})
export type Consent = Static<typeof Consent>

const endpoint = endpointsWith({ tag: "oauth" })

export const consents = {
  listConsents: endpoint("GET", "/consents", {
    summary: "List your consents to applications",
    description: "Newest first. Requires the token of a login; access tokens of applications are not accepted.",
    command: "consents list",
    scope: "read:users",
    response: Type.Array(Consent, { maxItems: 1000 }),
    problems: ["session-required"],
    paged: true,
  }),

  endConsent: endpoint("DELETE", "/consents/{id}", {
    summary: "End a consent",
    description: "Every token issued under it is refused from the next request on. Requires the token of a login.",
    command: "consents end",
    scope: "write:users",
    problems: ["consent-not-found", "session-required"],
    audited: ["consent.ended"],
  }),
}

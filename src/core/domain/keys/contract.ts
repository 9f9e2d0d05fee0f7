import type { Static } from "typebox"
import { Id, label, object, text, time } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { allScopes } from "../scopes.ts"

const KeyName = label(100, { examples: ["nightly import"] })

const Scopes = Type.Array(Type.Enum(allScopes), {
  minItems: 1,
  maxItems: 50,
  description:
    "The scopes of the key; at most those of the credential that creates it, and of the role of the person whose account it is for",
  examples: [["read:pets", "write:pets"]],
})

/** Maximum number of address blocks per key. */
export const cidrsMax = 50

const Cidrs = Type.Array(text(1, 64, { format: "cidr" }), {
  maxItems: cidrsMax,
  description: "Address blocks the key may be used from; any address when empty",
  examples: [["203.0.113.0/24"]],
})

const timeShown = (description: string) => time(description, ["2030-01-01T00:00:00.000Z"])

const shownFields = {
  id: Id,
  name: KeyName,
  scopes: Scopes,
  allowedCidrs: Cidrs,
  createdAt: timeShown("When it was created"),
  expiresAt: Type.Optional(timeShown("When it expires; never when absent")),
  rotatedAt: Type.Optional(timeShown("When it was rotated; its responses carry `Deprecation` from then on")),
  lastUsedAt: Type.Optional(timeShown("To the minute, up to a minute late; absent before the first use")),
}

export const ShownKey = object("Key", shownFields)
export type ShownKey = Static<typeof ShownKey>

export const KeyWithSecret = object("KeyWithSecret", {
  ...shownFields,
  secret: Type.String({
    description: "The key itself, for the header `api_key`; shown only in this response",
    examples: ["psk_dOJ3SBDfPZgQ2xJDd6eZPLEwTjXHTfJC5DybP3WcWnl2Q1XEf"],
  }),
})
export type KeyWithSecret = Static<typeof KeyWithSecret>

export const KeyDraft = object("KeyDraft", {
  name: KeyName,
  scopes: Scopes,
  expiresAt: Type.Optional(
    timeShown(
      "When it expires, in the future; when omitted, the expiry of the key that creates it, if any, otherwise never",
    ),
  ),
  allowedCidrs: Type.Optional({
    ...Cidrs,
    description:
      "Address blocks the key may be used from; when empty, those of the key that creates it, if any, otherwise any address",
  }),
  accountId: Type.Optional(
    Type.Integer({
      ...Id,
      description: "The account that owns the key; an account other than your own requires the scope `admin`",
    }),
  ),
})
export type KeyDraft = Static<typeof KeyDraft>

const RevokedKey = object("RevokedKey", {
  id: Id,
  revoked: Type.Boolean({ description: "True: the key is refused from the next request on" }),
})

const daySeconds = 86_400

const endpoint = endpointsWith({ tag: "keys", scope: "manage:keys" })

export const keys = {
  createKey: endpoint("POST", "/keys", {
    summary: "Create an API key",
    description:
      "The response shows the secret, once; only its SHA-256 is stored. The key stays within the expiry and the address " +
      "blocks of the one that creates it. A key created by a person ends when they lose the role for its scopes or are deleted.",
    command: "keys create",
    body: KeyDraft,
    response: KeyWithSecret,
    status: 201,
    problems: ["forbidden", "too-many-keys"],
    audited: ["key.created"],
  }),

  listKeys: endpoint("GET", "/keys", {
    summary: "List the account's API keys",
    description: "Newest first, without revoked keys.",
    command: "keys list",
    response: Type.Array(ShownKey, { maxItems: 1000 }),
    paged: true,
  }),

  getKey: endpoint("GET", "/keys/{id}", {
    summary: "Read an API key",
    command: "keys get",
    response: ShownKey,
    problems: ["key-not-found"],
  }),

  revokeKey: endpoint("DELETE", "/keys/{id}", {
    summary: "Revoke an API key",
    description: "Permanent, from the next request on. Requires every scope of the key.",
    command: "keys revoke",
    response: RevokedKey,
    problems: ["key-not-found", "forbidden", "well-known-key"],
    audited: ["key.revoked"],
  }),

  rotateKey: endpoint("POST", "/keys/{id}/rotation", {
    summary: "Rotate an API key: replace it with a new one",
    description:
      "The new key has the scopes and the lifetime of the old one, within the expiry and the address blocks of the " +
      "credential that rotates it and of the one that created it. The old key keeps working for the overlap; its " +
      "responses carry `Deprecation` and `Sunset`.",
    command: "keys rotate",
    tool: { replaces: true },
    query: Type.Object({
      overlapSeconds: Type.Integer({
        minimum: 0,
        maximum: 30 * daySeconds,
        default: daySeconds,
        description: "How long the old key keeps working",
      }),
    }),
    response: KeyWithSecret,
    status: 201,
    problems: ["key-not-found", "key-rotated", "forbidden", "too-many-keys", "well-known-key"],
    audited: ["key.rotated"],
  }),
}

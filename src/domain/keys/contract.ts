import { type Static, Type } from "typebox"
import { Id, label, named, text } from "../../kernel/schema.ts"
import { endpoint } from "../endpoint.ts"
import { allScopes } from "../scopes.ts"

const KeyName = label(100, { examples: ["nightly import"] })

const Scopes = Type.Array(Type.Enum(allScopes), {
  minItems: 1,
  maxItems: 50,
  description: "What the key may do; no more than the credential that makes it",
  examples: [["read:pets", "write:pets"]],
})

/** Address blocks of one key. */
export const cidrsMax = 50

const Cidrs = Type.Array(text(1, 64, { format: "cidr" }), {
  maxItems: cidrsMax,
  description: "Address blocks a request with the key must come from; anywhere when empty",
  examples: [["203.0.113.0/24"]],
})

const time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2030-01-01T00:00:00.000Z"] })

const shownMembers = {
  id: Id,
  name: KeyName,
  scopes: Scopes,
  allowedCidrs: Cidrs,
  createdAt: time("When it was made"),
  expiresAt: Type.Optional(time("From when it is refused; never when absent")),
  rotatedAt: Type.Optional(time("When another key took its place; from then on its answers carry `Deprecation`")),
  lastUsedAt: Type.Optional(time("To the minute, and up to a minute late; absent before the first use")),
}

export const ShownKey = named("Key", Type.Object(shownMembers))
export type ShownKey = Static<typeof ShownKey>

export const KeyWithSecret = named(
  "KeyWithSecret",
  Type.Object({
    ...shownMembers,
    secret: Type.String({
      description: "The key itself, for the header `api_key`. It is shown this once",
      examples: ["psk_dOJ3SBDfPZgQ2xJDd6eZPLEwTjXHTfJC5DybP3WcWnl2Q1XEf"],
    }),
  }),
)
export type KeyWithSecret = Static<typeof KeyWithSecret>

export const KeyDraft = named(
  "KeyDraft",
  Type.Object({
    name: KeyName,
    scopes: Scopes,
    expiresAt: Type.Optional(
      time("From when it is refused, in the future; when omitted, the end of the key that makes it, else never"),
    ),
    allowedCidrs: Type.Optional({
      ...Cidrs,
      description:
        "Address blocks a request with the key must come from; when empty, those of the key that makes it, else anywhere",
    }),
    accountId: Type.Optional(
      Type.Integer({
        ...Id,
        description: "Whose key it will be; another account than one's own needs the scope `admin`",
      }),
    ),
  }),
)
export type KeyDraft = Static<typeof KeyDraft>

const RevokedKey = named(
  "RevokedKey",
  Type.Object({ id: Id, revoked: Type.Literal(true, { description: "It is refused from the next request on" }) }),
)

const keyId = Type.Object({ id: Id })
const madeAt = { Location: { description: "Where the new key is", example: "/api/v3/keys/7" } }
const daySeconds = 86_400

export const keys = {
  createKey: endpoint({
    method: "POST",
    path: "/keys",
    summary: "Make an API key",
    description:
      "The answer shows the secret, once; only its SHA-256 is kept. A key made with a key that has an expiry or address " +
      "blocks stays within them; what a person makes ends when they are deleted or lose the role that allowed it.",
    tag: "keys",
    command: "keys create",
    scope: "manage:keys",
    body: KeyDraft,
    answer: KeyWithSecret,
    status: 201,
    headers: madeAt,
    problems: ["forbidden", "too-many-keys"],
  }),

  listKeys: endpoint({
    method: "GET",
    path: "/keys",
    summary: "List the account's API keys",
    description: "Newest first, revoked ones left out.",
    tag: "keys",
    command: "keys list",
    scope: "manage:keys",
    answer: Type.Array(ShownKey, { maxItems: 1000 }),
    status: 200,
    problems: [],
    paged: true,
  }),

  getKey: endpoint({
    method: "GET",
    path: "/keys/{id}",
    summary: "See one API key",
    tag: "keys",
    command: "keys get",
    scope: "manage:keys",
    params: keyId,
    answer: ShownKey,
    status: 200,
    problems: ["key-not-found"],
  }),

  revokeKey: endpoint({
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Revoke an API key",
    description: "For good, from the next request on. Needs every scope the key has.",
    tag: "keys",
    command: "keys revoke",
    scope: "manage:keys",
    params: keyId,
    answer: RevokedKey,
    status: 200,
    problems: ["key-not-found", "forbidden"],
  }),

  rotateKey: endpoint({
    method: "POST",
    path: "/keys/{id}/rotation",
    summary: "Replace an API key by a new one",
    description:
      "The new key may do what the old one may, and lives as long as the old one was given, within the end and the " +
      "address blocks of the credential that rotates it and of the one that made it. The old one works on for the " +
      "overlap; its answers carry `Deprecation` and `Sunset`.",
    tag: "keys",
    command: "keys rotate",
    scope: "manage:keys",
    params: keyId,
    query: Type.Object({
      overlapSeconds: Type.Integer({
        minimum: 0,
        maximum: 30 * daySeconds,
        default: daySeconds,
        description: "How long the old key works on",
      }),
    }),
    answer: KeyWithSecret,
    status: 201,
    headers: madeAt,
    problems: ["key-not-found", "key-rotated", "forbidden", "too-many-keys"],
  }),
}

import type { Static } from "typebox"
import { Id, label, named, object, text, time } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { cidrsMax } from "../keys/contract.ts"
import { allScopes } from "../scopes.ts"

const ScopeName = named("Scope", Type.Enum(allScopes, { description: "A permission of a credential" }))

const ClientType = named(
  "OAuthClientType",
  Type.Enum(["confidential", "public"], {
    description:
      "Whether the application can keep a secret (RFC 6749 section 2.1); one in a browser or on a phone cannot",
  }),
)

const IdTokenAlg = Type.Optional(
  Type.Enum(["RS256", "ES256"], {
    description:
      "The algorithm that signs its ID tokens (OpenID Connect Dynamic Client Registration); RS256 when absent",
  }),
)

/** Compared as text, so ports and slashes are significant (RFC 9700 section 2.1). */
const RedirectUri = text(1, 2048, {
  pattern: '^(https://[^/?#]|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?([/?]|$))[!-"$-~]*$',
  "x-rule": "must be an https address, or http on this machine (localhost, 127.0.0.1, [::1])",
  examples: ["https://app.example/callback"],
})

const fields = {
  name: label(100, { description: "Shown to people asked for consent" }),
  redirectUris: Type.Array(RedirectUri, {
    maxItems: 20,
    description: "Compared exactly; required for the authorization code flow",
  }),
  scopes: Type.Array(ScopeName, {
    minItems: 1,
    maxItems: allScopes.length,
    description: "The scopes it may be granted",
  }),
}

const example = {
  name: "Pet walker",
  type: "confidential",
  redirectUris: ["https://app.example/callback"],
  scopes: ["read:pets"],
} as const

const stored = {
  id: Id,
  clientId: Type.String({ description: "`client_id` in the OAuth protocol" }),
  name: fields.name,
  type: ClientType,
  redirectUris: fields.redirectUris,
  scopes: fields.scopes,
  idTokenSignedResponseAlg: IdTokenAlg,
  createdAt: time(),
  expiresAt: Type.Optional(time("When it expires, with the key that created it; never when absent")),
  allowedCidrs: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: cidrsMax,
      description:
        "Address blocks its tokens may be used from, those of the key that created it; any address when absent",
    }),
  ),
}

const storedExample = { id: 1, clientId: "poc_5vP0kXzq2Jm8", ...example, createdAt: "2026-01-01T00:00:00.000Z" }

export const OAuthClient = object("OAuthClient", stored, { examples: [storedExample] })
export type OAuthClient = Static<typeof OAuthClient>

const OAuthClientWithSecret = object(
  "OAuthClientWithSecret",
  {
    ...stored,
    clientSecret: Type.Optional(
      Type.String({ description: "Shown only in this response; absent for a public client, which has none" }),
    ),
  },
  { examples: [{ ...storedExample, clientSecret: "pos_…" }] },
)

export const OAuthClientDraft = object(
  "OAuthClientDraft",
  {
    name: fields.name,
    type: Type.Optional(ClientType),
    redirectUris: Type.Optional(fields.redirectUris),
    scopes: fields.scopes,
    idTokenSignedResponseAlg: IdTokenAlg,
  },
  { examples: [example] },
)
export type OAuthClientDraft = Static<typeof OAuthClientDraft>

const OAuthClientPatch = object(
  "OAuthClientPatch",
  {
    name: Type.Optional(fields.name),
    redirectUris: Type.Optional(fields.redirectUris),
    scopes: Type.Optional(fields.scopes),
    idTokenSignedResponseAlg: IdTokenAlg,
  },
  { examples: [{ scopes: ["read:pets", "write:pets"] }] },
)

const endpoint = endpointsWith({ tag: "oauth", scope: "manage:keys" })

export const oauth = {
  createOAuthClient: endpoint("POST", "/oauth-clients", {
    summary: "Register an OAuth client",
    description:
      "The client belongs to the caller's account, and its requests count against that account's plan. A confidential client " +
      "gets a secret, shown only in this response, and may use the client credentials flow. It stays within the expiry and " +
      "the address blocks of the key that creates it. A client created by a person ends when they lose the role for its scopes or " +
      "are deleted. " +
      "An account has at most 100.",
    command: "oauth-clients create",
    body: OAuthClientDraft,
    response: OAuthClientWithSecret,
    status: 201,
    problems: ["too-many-oauth-clients"],
    audited: ["oauth-client.created"],
  }),
  listOAuthClients: endpoint("GET", "/oauth-clients", {
    summary: "List the account's OAuth clients, newest first",
    command: "oauth-clients list",
    response: Type.Array(OAuthClient, { maxItems: 1000 }),
    paged: true,
  }),
  getOAuthClient: endpoint("GET", "/oauth-clients/{id}", {
    summary: "Read an OAuth client",
    command: "oauth-clients get",
    response: OAuthClient,
    problems: ["oauth-client-not-found"],
  }),
  updateOAuthClient: endpoint("PATCH", "/oauth-clients/{id}", {
    summary: "Change an OAuth client",
    description:
      "Omitted fields are kept. A scope that is removed is removed from tokens in use at once. Requires a credential " +
      "with all scopes of the client that does not expire earlier and has no narrower address blocks.",
    command: "oauth-clients update",
    body: OAuthClientPatch,
    response: OAuthClient,
    problems: ["oauth-client-not-found", "forbidden"],
    audited: ["oauth-client.changed"],
  }),
  deleteOAuthClient: endpoint("DELETE", "/oauth-clients/{id}", {
    summary: "Delete an OAuth client",
    description: "Every token issued to it is refused from the next request on. Requires every scope of the client.",
    command: "oauth-clients delete",
    problems: ["oauth-client-not-found", "forbidden"],
    audited: ["oauth-client.deleted"],
  }),
  rotateOAuthClientSecret: endpoint("POST", "/oauth-clients/{id}/secret-rotation", {
    summary: "Rotate the secret of an OAuth client",
    description:
      "The new secret is shown only in this response. The old one keeps working for 24 hours, so that the application can " +
      "be updated; another rotation ends it at once. Tokens already issued are not affected.",
    command: "oauth-clients rotate-secret",
    tool: { replaces: true },
    response: OAuthClientWithSecret,
    problems: ["oauth-client-not-found", "oauth-client-has-no-secret", "forbidden"],
    audited: ["oauth-client.secret-rotated"],
  }),
}

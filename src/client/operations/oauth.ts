// Generated from the contract; npm run golden writes it again.

import type { CallOptions, ClientResponse } from "../client.ts"
import type { ApiResponse } from "./pet.ts"

export interface OauthOperations {
  /**
   * Register an OAuth client. The client belongs to the caller's account, and its requests count against that
   * account's plan. A confidential client gets a secret, shown only in this response, and may use the client
   * credentials flow. It stays within the expiry and the address blocks of the key that creates it. A client
   * created by a person ends when they lose the role for its scopes or are deleted. An account has at most 100.
   * Needs the scope `manage:keys`. May be refused with `too-many-oauth-clients`.
   */
  createOAuthClient(input: { body: NewOAuthClient }, options?: CallOptions): Promise<ClientResponse<OAuthClientWithSecret>>

  /**
   * List the account's OAuth clients, newest first. Needs the scope `manage:keys`.
   */
  listOAuthClients(input?: { query?: { limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<OAuthClient[]>>

  /**
   * Read an OAuth client. Needs the scope `manage:keys`. May be refused with `oauth-client-not-found`.
   */
  getOAuthClient(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<OAuthClient>>

  /**
   * Change an OAuth client. Omitted fields are kept. A scope that is removed is removed from tokens in use at
   * once. Requires a credential with all scopes of the client that does not expire earlier and has no narrower
   * address blocks. Needs the scope `manage:keys`. May be refused with `oauth-client-not-found`, `forbidden`.
   */
  updateOAuthClient(input: { params: { id: number }; body: OAuthClientPatch }, options?: CallOptions): Promise<ClientResponse<OAuthClient>>

  /**
   * Delete an OAuth client. Every token issued to it is refused from the next request on. Requires every scope of
   * the client. Needs the scope `manage:keys`. May be refused with `oauth-client-not-found`, `forbidden`.
   */
  deleteOAuthClient(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * Rotate the secret of an OAuth client. The new secret is shown only in this response. The old one keeps working
   * for 24 hours, so that the application can be updated; another rotation ends it at once. Tokens already issued
   * are not affected. Needs the scope `manage:keys`. May be refused with `oauth-client-not-found`,
   * `oauth-client-has-no-secret`, `forbidden`.
   */
  rotateOAuthClientSecret(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<OAuthClientWithSecret>>

  /**
   * List your consents to applications. Newest first. Requires the token of a login; access tokens of applications
   * are not accepted. Needs the scope `read:users`. May be refused with `session-required`.
   */
  listConsents(input?: { query?: { limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Consent[]>>

  /**
   * End a consent. Every token issued under it is refused from the next request on. Requires the token of a login.
   * Needs the scope `write:users`. May be refused with `consent-not-found`, `session-required`.
   */
  endConsent(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>
}

type NewOAuthClient = {
  name: string
  type?: OAuthClientType
  redirectUris?: string[]
  scopes: Scope[]
  idTokenSignedResponseAlg?: "RS256" | "ES256"
}

type OAuthClientType = "confidential" | "public"

type Scope = "read:pets" | "write:pets" | "read:orders" | "write:orders" | "read:users" | "write:users" | "manage:webhooks" | "manage:keys" | "admin"

type OAuthClientWithSecret = {
  id: number
  clientId: string
  name: string
  type: OAuthClientType
  redirectUris: string[]
  scopes: Scope[]
  idTokenSignedResponseAlg?: "RS256" | "ES256"
  createdAt: string
  expiresAt?: string
  allowedCidrs?: string[]
  clientSecret?: string
}

type OAuthClient = {
  id: number
  clientId: string
  name: string
  type: OAuthClientType
  redirectUris: string[]
  scopes: Scope[]
  idTokenSignedResponseAlg?: "RS256" | "ES256"
  createdAt: string
  expiresAt?: string
  allowedCidrs?: string[]
}

type OAuthClientPatch = {
  name?: string
  redirectUris?: string[]
  scopes?: Scope[]
  idTokenSignedResponseAlg?: "RS256" | "ES256"
}

type Consent = {
  id: number
  clientId: string
  clientName: string
  scopes: string[]
  givenAt: string
  expiresAt: string
}

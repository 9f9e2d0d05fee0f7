// Generated from the contract; npm run golden writes it again.

import type { CallOptions, ClientResponse } from "../client.ts"

export interface AccessOperations {
  /**
   * Read your account: plan, scopes and use of the limits. Does not count against any limit. Needs a credential,
   * of any scope.
   */
  getOwnAccount(input?: Record<never, never>, options?: CallOptions): Promise<ClientResponse<OwnAccount>>

  /**
   * Open an account. It has no key yet: create one with `accountId`. Needs the scope `admin`.
   */
  createAccount(input: { body: NewAccount }, options?: CallOptions): Promise<ClientResponse<Account>>

  /**
   * List accounts. Newest first. Needs the scope `admin`.
   */
  listAccounts(input?: { query?: { limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Account[]>>

  /**
   * Read an account and its use of the limits. Needs the scope `admin`. May be refused with `account-not-found`.
   */
  getAccount(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<AccountInUse>>

  /**
   * Change an account's name or plan. A JSON merge patch (RFC 7396). A new plan applies from the account's next
   * request on. Needs the scope `admin`. May be refused with `account-not-found`, `well-known-key`.
   */
  patchAccount(input: { params: { id: number }; body: AccountPatch }, options?: CallOptions): Promise<ClientResponse<AccountInUse>>

  /**
   * Create an API key. The response shows the secret, once; only its SHA-256 is stored. The key stays within the
   * expiry and the address blocks of the one that creates it. A key created by a person ends when they lose the
   * role for its scopes or are deleted. Needs the scope `manage:keys`. May be refused with `forbidden`,
   * `too-many-keys`.
   */
  createKey(input: { body: NewKey }, options?: CallOptions): Promise<ClientResponse<KeyWithSecret>>

  /**
   * List the account's API keys. Newest first, without revoked keys. Needs the scope `manage:keys`.
   */
  listKeys(input?: { query?: { limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Key[]>>

  /**
   * Read an API key. Needs the scope `manage:keys`. May be refused with `key-not-found`.
   */
  getKey(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<Key>>

  /**
   * Revoke an API key. Permanent, from the next request on. Requires every scope of the key. Needs the scope
   * `manage:keys`. May be refused with `key-not-found`, `forbidden`, `well-known-key`.
   */
  revokeKey(input: { params: { id: number } }, options?: CallOptions): Promise<ClientResponse<RevokedKey>>

  /**
   * Rotate an API key: replace it with a new one. The new key has the scopes and the lifetime of the old one,
   * within the expiry and the address blocks of the credential that rotates it and of the one that created it. The
   * old key keeps working for the overlap; its responses carry `Deprecation` and `Sunset`. Needs the scope
   * `manage:keys`. May be refused with `key-not-found`, `key-rotated`, `forbidden`, `too-many-keys`,
   * `well-known-key`.
   */
  rotateKey(input: { params: { id: number }; query?: { overlapSeconds?: number } }, options?: CallOptions): Promise<ClientResponse<KeyWithSecret>>

  /**
   * Read the audit log. Newest first. `since` and `until` can be combined with one of the other filters. `hash` is
   * the SHA-256 of the entry's JSON without it, and `previous` that of the entry before. Needs the scope `admin`.
   */
  listAudit(input?: { query?: { account?: number; principal?: string; action?: string; thing?: string; since?: string; until?: string; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<AuditEntry[]>>
}

type OwnAccount = {
  id: number
  name: string
  plan: Plan
  scopes: ("read:pets" | "write:pets" | "read:orders" | "write:orders" | "read:users" | "write:users" | "manage:webhooks" | "manage:keys" | "admin")[]
  limits: LimitStanding[]
  store: string
}

type Plan = "free" | "pro" | "enterprise"

type LimitStanding = {
  policy: "minute" | "day"
  quota: number
  windowSeconds: number
  used: number
  remaining: number
  resetSeconds: number
}

type NewAccount = {
  name: string
  plan: Plan
}

type Account = {
  id: number
  name: string
  plan: Plan
}

type AccountInUse = {
  id: number
  name: string
  plan: Plan
  limits: LimitStanding[]
}

type AccountPatch = {
  name?: string
  plan?: Plan
}

type NewKey = {
  name: string
  scopes: ("read:pets" | "write:pets" | "read:orders" | "write:orders" | "read:users" | "write:users" | "manage:webhooks" | "manage:keys" | "admin")[]
  expiresAt?: string
  allowedCidrs?: string[]
  accountId?: number
}

type KeyWithSecret = {
  id: number
  name: string
  scopes: ("read:pets" | "write:pets" | "read:orders" | "write:orders" | "read:users" | "write:users" | "manage:webhooks" | "manage:keys" | "admin")[]
  allowedCidrs: string[]
  createdAt: string
  expiresAt?: string
  rotatedAt?: string
  lastUsedAt?: string
  secret: string
}

type Key = {
  id: number
  name: string
  scopes: ("read:pets" | "write:pets" | "read:orders" | "write:orders" | "read:users" | "write:users" | "manage:webhooks" | "manage:keys" | "admin")[]
  allowedCidrs: string[]
  createdAt: string
  expiresAt?: string
  rotatedAt?: string
  lastUsedAt?: string
}

type RevokedKey = {
  id: number
  revoked: boolean
}

type AuditEntry = {
  id: number
  time: string
  action: string
  result: "done" | "refused"
  principal: string
  credential?: string
  account?: number
  address?: string
  requestId?: string
  thing?: string
  details?: object
  previous: string
  hash: string
}

import type { Page, PageOf } from "../../kernel/endpoint/page.ts"
import type { Account } from "../accounts/contract.ts"
import type { Bounds } from "../accounts/model.ts"
import type { Role, Scope } from "../scopes.ts"
import type { OAuthClient } from "./contract.ts"

/** A client for the authorization server: hashes are SHA-256 in hex, times milliseconds since the epoch. */
export type StoredOAuthClient = OAuthClient & {
  accountId: number
  bounds: Bounds
  /** The valid secrets; none for a public client. `until` is undefined for the newest one. */
  secrets: { hash: string; until: number | undefined }[]
}

/** OAuth clients in storage. */
export type OAuthClientStore = {
  /** Adds a client and returns its id. It depends on the person of its account unless another is named. */
  add(client: Omit<OAuthClient, "id"> & { accountId: number; userId?: number | undefined }): Promise<number>
  /**
   * Adds or updates the client that a document at its `client_id` describes. The first account keeps it; what a person's token of it does
   * counts for the person's account.
   */
  putOfDocument(client: Pick<OAuthClient, "clientId" | "name" | "redirectUris" | "scopes" | "createdAt">): Promise<void>
  /** The account's client; undefined when there is none. */
  read(id: number, accountId: number): Promise<OAuthClient | undefined>
  /** Like `read`, with its bounds, locked until the transaction ends. */
  lock(id: number, accountId: number): Promise<{ client: OAuthClient; bounds: Bounds } | undefined>
  /** The account's clients, newest (highest id) first. */
  list(accountId: number, page: Page): Promise<PageOf<OAuthClient>>
  /** Number of clients of the account. */
  count(accountId: number): Promise<number>
  /** The clients that depend on a person, in any account, and those of the person's own account. */
  ofPerson(userId: number, accountId: number): Promise<(OAuthClient & { accountId: number })[]>
  /** The client with this `client_id`, in any account; undefined when the person it depends on has been deleted. */
  byClientId(clientId: string): Promise<StoredOAuthClient | undefined>
  /** Updates the name, redirect URIs and scopes of an existing client. */
  put(client: OAuthClient): Promise<void>
  /** Sets the client's secret, stored as SHA-256; the previous one is valid until `previousUntil`. */
  setSecret(id: number, secret: string, previousUntil: number): Promise<void>
  /** Deletes the client and everything issued to it. */
  remove(client: Pick<OAuthClient, "id" | "clientId">): Promise<void>
}

/** State of the authorization server: a code, token, grant, session or interaction. Of its secret only the SHA-256 (hex) is kept. */
export type OAuthRecord = {
  kind: string
  hash: string
  /** A second key by which a session is found. */
  uid: string | undefined
  /** The grant it belongs to: revoking the grant revokes it. For a grant, its own id. */
  grantId: string | undefined
  clientId: string | undefined
  /** The person who consented or signed in; undefined for a client that acts for itself. */
  userId: number | undefined
  /** The granted scopes, separated by spaces. */
  scope: string
  json: string
  expiresAt: number
  /** When it was consumed, if it can be used only once. */
  consumedAt: number | undefined
}

/** What an access token grants, and to whom. */
export type StoredToken = {
  account: Account
  /** The client it was issued to. */
  oauthClientId: number
  clientScopes: Scope[]
  clientBounds: Bounds
  /** The current role of the person the client depends on; undefined when there is none. */
  clientRole: Role | undefined
  /** The person who consented; undefined for a client that acts for itself. `accountId` is the person's own account. */
  user: { id: number; username: string; role: Role; accountId: number } | undefined
  granted: string[]
  /** When the token or its consent expires, whichever is first. */
  expiresAt: number
}

/** State of the authorization server in storage. */
export type OAuthRecordStore = {
  /** Adds a record, or replaces the one with the same kind and hash. */
  put(record: OAuthRecord): Promise<void>
  /** The record of this kind and hash, expired or not; undefined when there is none. */
  read(kind: string, hash: string): Promise<OAuthRecord | undefined>
  /** The record of this kind with this `uid`; undefined when there is none. */
  byUid(kind: string, uid: string): Promise<OAuthRecord | undefined>
  /** Marks a record as consumed; false when it was consumed before, or concurrently. */
  consume(kind: string, hash: string, at: number): Promise<boolean>
  /** The consent of a grant: its id, person and client; undefined when there is none. */
  consentOf(grantId: string): Promise<{ id: number; userId: number; clientId: string } | undefined>
  /** Deletes a record; returns the account of the client concerned, if any. */
  remove(kind: string, hash: string): Promise<number[]>
  /** Removes the records of a grant of one kind, or all of them and the grant. Returns the accounts of the clients concerned. */
  removeGrant(grantId: string, kind?: string): Promise<number[]>
  /** Keeps `max` records of this kind for the person: the given one and those that expire last. */
  removeOldest(newest: OAuthRecord, max: number): Promise<void>
  /** Deletes all sessions and consents of a person. */
  removeUser(userId: number): Promise<void>
  /** The access token with this hash; undefined when the token, grant, client or a person involved has been deleted. */
  token(hash: string): Promise<StoredToken | undefined>
  /** Deletes up to `limit` records that expired before `before`; returns their number. */
  prune(before: number, limit: number): Promise<number>
}

/** A signing key of the authorization server: `sealed` is its private JWK (RFC 7517), encrypted. */
export type SigningKey = { kid: string; sealed: string; createdAt: number }

/** The signing keys of the authorization server. */
export type SigningKeyStore = {
  /** Every key, newest first. */
  all(): Promise<SigningKey[]>
  /** Replaces the sealed text of an existing key. */
  reseal(kid: string, sealed: string): Promise<void>
  /** Adds a key; the newest one signs. */
  add(key: SigningKey): Promise<void>
  /** Deletes keys created before `before`. */
  prune(before: number): Promise<void>
}

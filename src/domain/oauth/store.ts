import type { Page, PageOf } from "../../kernel/page.ts"
import type { Account } from "../accounts/contract.ts"
import type { Bounds } from "../accounts/model.ts"
import type { Role, Scope } from "../scopes.ts"
import type { OAuthClient } from "./contract.ts"

/** A client as the authorization server needs it: hashes are SHA-256 in hex, times milliseconds since the epoch. */
export type StoredOAuthClient = OAuthClient & {
  accountId: number
  bounds: Bounds
  /** The secrets that hold now; none for a public client. `until` is undefined for the newest one. */
  secrets: { hash: string; until: number | undefined }[]
}

/** What the service asks storage about OAuth clients. */
export type OAuthClientStore = {
  /** Adds a client and returns its new id. It rests on the person whose account it is for, when nobody else is named. */
  add(client: Omit<OAuthClient, "id"> & { accountId: number; userId?: number | undefined }): Promise<number>
  /** The account's client; somebody else's is not found. */
  read(id: number, accountId: number): Promise<OAuthClient | undefined>
  /** Like `read`, with its bounds, and nobody else changes the client until the transaction ends. */
  lock(id: number, accountId: number): Promise<{ client: OAuthClient; bounds: Bounds } | undefined>
  /** The account's clients, newest (highest id) first. */
  list(accountId: number, page: Page): Promise<PageOf<OAuthClient>>
  /** How many clients the account has. */
  count(accountId: number): Promise<number>
  /** The clients that rest on a person, in whatever account, and those of the account that is theirs. */
  ofPerson(userId: number, accountId: number): Promise<(OAuthClient & { accountId: number })[]>
  /** The client that calls itself this in the protocol, whoever's it is; undefined when the person it rests on is gone. */
  byClientId(clientId: string): Promise<StoredOAuthClient | undefined>
  /** Changes what can be changed of a client that is there: name, redirect URIs and scopes. */
  put(client: OAuthClient): Promise<void>
  /** Gives the client this secret, kept as SHA-256 only; the one it had holds until `previousUntil`. */
  setSecret(id: number, secret: string, previousUntil: number): Promise<void>
  /** Removes the client and everything that was issued to it. */
  remove(client: Pick<OAuthClient, "id" | "clientId">): Promise<void>
}

/** State of the authorization server: a code, token, grant, session or interaction. Of its secret only the SHA-256 (hex) is kept. */
export type OAuthRecord = {
  kind: string
  hash: string
  /** Another name a session is found by. */
  uid: string | undefined
  /** What it is part of: revoking a grant revokes all of it. For a grant, its own name. */
  grantId: string | undefined
  clientId: string | undefined
  /** Whose it is: who consented or signed in; undefined for a client that acts for itself. */
  userId: number | undefined
  /** What was granted, separated by spaces. */
  scope: string
  json: string
  expiresAt: number
  /** When it was used up, for what can be used once. */
  consumedAt: number | undefined
}

/** Who an access token stands for. */
export type TokenHolder = {
  account: Account
  /** The id of the client it was issued to. */
  oauthClientId: number
  clientScopes: Scope[]
  clientBounds: Bounds
  /** What the person the client rests on is now; undefined when it rests on nobody. */
  clientRole: Role | undefined
  /** The person who consented; undefined for a client that acts for itself. `accountId` is their own account. */
  user: { id: number; username: string; role: Role; accountId: number } | undefined
  granted: string[]
  /** When the token ends, or the consent behind it, whichever comes first. */
  expiresAt: number
}

/** What the authorization server asks storage about what it remembers. */
export type OAuthRecordStore = {
  /** Adds a record or replaces the one with the same kind and hash. */
  put(record: OAuthRecord): Promise<void>
  /** The record of this kind and hash, expired or not; undefined when there is none. */
  read(kind: string, hash: string): Promise<OAuthRecord | undefined>
  /** The record of this kind with this `uid`; undefined when there is none. */
  byUid(kind: string, uid: string): Promise<OAuthRecord | undefined>
  /** Marks a record as used; false when it was used before, also by somebody at the same moment. */
  consume(kind: string, hash: string, at: number): Promise<boolean>
  /** The consent a grant stands for: its id, whose it is, and to whom it was given; undefined when there is none. */
  consentOf(grantId: string): Promise<{ id: number; userId: number; clientId: string } | undefined>
  /** Removes a record; returns the account of the client concerned, if any. */
  remove(kind: string, hash: string): Promise<number[]>
  /** Removes the records of a grant of one kind, or all of them and the grant. Returns the accounts of the clients concerned. */
  removeGrant(grantId: string, kind?: string): Promise<number[]>
  /** Leaves the person `max` records of this one's kind: this one and those that end last. */
  removeOldest(newest: OAuthRecord, max: number): Promise<void>
  /** Removes everything a person has signed in to or consented to. */
  removeUser(userId: number): Promise<void>
  /** Who an access token with this hash stands for; undefined when it, its grant, its client, its person or the one its client rests on is gone. */
  token(hash: string): Promise<TokenHolder | undefined>
  /** Forgets up to `limit` records that expired before `before`; returns how many. */
  prune(before: number, limit: number): Promise<number>
}

/** A key the authorization server signs with: `sealed` is its private JWK (RFC 7517), encrypted. */
export type SigningKey = { kid: string; sealed: string; createdAt: number }

/** The keys the authorization server signs with. */
export type SigningKeyStore = {
  /** Every key, newest first. */
  all(): Promise<SigningKey[]>
  /** Replaces the sealed text of a key that is there. */
  reseal(kid: string, sealed: string): Promise<void>
  /** Adds a key; the newest one signs. */
  add(key: SigningKey): Promise<void>
  /** Forgets keys made before `before`. */
  prune(before: number): Promise<void>
}

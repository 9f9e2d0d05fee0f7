// Generated from the contract; npm run golden writes it again.

import type { CallOptions, ClientResponse } from "../client.ts"
import type { ApiResponse } from "./pet.ts"

export interface UserOperations {
  /**
   * Register. The operator may close registration. The new user is a customer with their own account on the Free
   * plan. The number of registrations per address and hour is limited. Needs no credential. May be refused with
   * `user-exists`, `registration-closed`, `too-many-registrations`.
   */
  createUser(input: { body: NewUser }, options?: CallOptions): Promise<ClientResponse<User>>

  /**
   * Register several users: all of them or none. For staff. Needs the scope `write:users`. May be refused with
   * `user-exists`, `role-missing`.
   */
  createUsersWithListInput(input: { body: NewUser[] }, options?: CallOptions): Promise<ClientResponse<User[]>>

  /**
   * List users. For staff. Newest first by default. Needs the scope `read:users`. May be refused with
   * `role-missing`.
   */
  listUsers(input?: { query?: { sort?: "-id" | "id"; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<User[]>>

  /**
   * Find a user by name. Users can read their own record, staff any. Needs the scope `read:users`. May be refused
   * with `user-not-found`.
   */
  getUserByName(input: { params: { username: string } }, options?: CallOptions): Promise<ClientResponse<User>>

  /**
   * Replace a user's record, rename them, change the password. An omitted username or password is kept, every
   * other omitted field is cleared. A new password ends every session. People change their own record; staff
   * change records of users with the same or a lower role, except the password. A new username, e-mail address or
   * password requires a session and `currentPassword`. Needs the scope `write:users`. May be refused with
   * `user-not-found`, `user-exists`, `role-missing`, `well-known-user`, `session-required`,
   * `current-password-required`, `too-many-attempts`.
   */
  updateUser(input: { params: { username: string }; body: UserReplacement }, options?: CallOptions): Promise<ClientResponse<User>>

  /**
   * Delete a user. Deletes all data of the person and ends every session. Their orders are kept. A session
   * requires `currentPassword`; access tokens of applications are not accepted. Needs the scope `write:users`. May
   * be refused with `user-not-found`, `role-missing`, `well-known-user`, `session-required`,
   * `current-password-required`, `too-many-attempts`.
   */
  deleteUser(input: { params: { username: string }; body?: UserDeletion }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * Reset a user's password, as staff. Ends every session of the user and every token of applications they
   * consented to. For staff, with every scope of the user's role; an admin's password cannot be reset. A session
   * requires the staff member's own password as `currentPassword`; access tokens of applications are not accepted.
   * Needs the scope `write:users`. May be refused with `user-not-found`, `role-missing`, `forbidden`,
   * `well-known-user`, `session-required`, `current-password-required`, `too-many-attempts`.
   */
  resetPassword(input: { params: { username: string }; body: PasswordReset }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * List the roles of users. For staff. Newest users first by default. Needs the scope `read:users`. May be
   * refused with `role-missing`.
   */
  listRoles(input?: { query?: { sort?: "-id" | "id"; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<UserRole[]>>

  /**
   * Show the role of a user. Users can read their own role, staff any. Needs the scope `read:users`. May be
   * refused with `user-not-found`.
   */
  getRole(input: { params: { username: string } }, options?: CallOptions): Promise<ClientResponse<UserRole>>

  /**
   * Set the role of a user. A user has one role; it limits their sessions from the next request on. Requires a
   * credential with every scope of the role. For the role admin, a session requires `currentPassword`; access
   * tokens of applications are not accepted. Needs the scope `admin`. May be refused with `user-not-found`,
   * `forbidden`, `well-known-user`, `session-required`, `current-password-required`, `too-many-attempts`.
   */
  grantRole(input: { params: { username: string; role: Role }; body?: RoleGrant }, options?: CallOptions): Promise<ClientResponse<UserRole>>

  /**
   * Log in. Needs no credential. May be refused with `invalid-credentials`, `too-many-attempts`.
   */
  logIn(input: { body: { username: string; password: string } }, options?: CallOptions): Promise<ClientResponse<string>>

  /**
   * Log in through query parameters. Query strings end up in logs and browser histories: use POST instead. Needs
   * no credential. May be refused with `invalid-credentials`, `too-many-attempts`.
   * @deprecated
   */
  loginUser(input?: { query?: { username?: string; password?: string } }, options?: CallOptions): Promise<ClientResponse<string>>

  /**
   * Log out: revoke the bearer token, if there is one. Needs no credential.
   */
  logOut(input?: Record<never, never>, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * Log out with GET. The same as POST. Needs no credential.
   */
  logoutUser(input?: Record<never, never>, options?: CallOptions): Promise<ClientResponse<ApiResponse>>
}

type NewUser = {
  id?: number
  username: string
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  password: string
  userStatus?: number
}

export type User = {
  id: number
  username: string
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  userStatus: number
}

type UserReplacement = {
  id?: number
  username?: string
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  password?: string
  userStatus?: number
  currentPassword?: string
}

type UserDeletion = {
  currentPassword?: string
}

type PasswordReset = {
  password: string
  currentPassword?: string
}

type UserRole = {
  id: number
  username: string
  role: Role
}

type Role = "customer" | "staff" | "admin"

type RoleGrant = {
  currentPassword?: string
}

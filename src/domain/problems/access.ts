import type { ProblemKind } from "../../kernel/problem.ts"

/** Who may do what, and how often. */
export const accessProblems = {
  unauthorized: {
    status: 401,
    title: "Credential required",
    meaning:
      "The operation needs an API key in the header `api_key` or an access token in `Authorization: Bearer …`, and " +
      "the request had none, or one that is unknown, expired or revoked.",
  },
  forbidden: {
    status: 403,
    title: "Scope missing",
    meaning: "The credential is valid but does not have the scope this operation needs.",
  },
  "role-missing": {
    status: 403,
    title: "Role missing",
    meaning: "The operation is for staff, or for a higher role than that of the user it is about.",
  },
  "foreign-page": {
    status: 403,
    title: "Page of another site",
    meaning:
      "The sandbox's keys are public, so web pages of other sites may use it but not administer it. The detail says which " +
      "origin or host was not recognised. Forms of the console are taken from its own pages only.",
  },
  "registration-closed": {
    status: 403,
    title: "Registration closed",
    meaning: "Registration without a credential is switched off. Staff register people with POST /user/createWithList.",
  },
  "session-required": {
    status: 403,
    title: "Session required",
    meaning:
      "The operation is for a person who has logged in with their password (POST /user/login). No application's access " +
      "token may do it, whatever its scopes.",
  },
  "current-password-required": {
    status: 403,
    title: "Current password required",
    meaning:
      "Changing a password, a username or an e-mail address, deleting a user and resetting a password need the " +
      "caller's own password, in `currentPassword`. It was missing or wrong, and nothing was changed.",
  },
  "too-many-requests": {
    status: 429,
    title: "Too many requests",
    meaning:
      "The address sent too many requests without a valid credential. Send a valid credential, or try again after " +
      "`Retry-After`.",
  },
  "quota-exceeded": {
    status: 429,
    title: "Quota exceeded",
    meaning:
      "The account has used up its plan's quota in the windows named by `violated-policies`. The request was not counted; " +
      "send it again after `Retry-After`. `RateLimit` on every response says how much is left.",
  },
  "too-many-streams": {
    status: 429,
    title: "Too many event streams",
    meaning:
      "The account, or the address, has as many event streams open as it may. Close one, or try again after `Retry-After`.",
  },
  "too-many-attempts": {
    status: 429,
    title: "Too many attempts",
    meaning:
      "Too many wrong passwords were sent from this address, or too many attempts wait for this user. Try again after `Retry-After`.",
  },
  "too-many-registrations": {
    status: 429,
    title: "Too many registrations",
    meaning: "The address has registered as many people in the last hour as is allowed. Try again after `Retry-After`.",
  },
} as const satisfies Record<string, ProblemKind>

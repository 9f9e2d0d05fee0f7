import { kindsOf } from "../../kernel/problem.ts"

/** Credentials, permissions and rate limits. */
export const accessProblems = {
  ...kindsOf(401, {
    unauthorized: {
      title: "Credential required",
      meaning:
        "The operation requires an API key in the header `api_key` or an access token in `Authorization: Bearer …`, and " +
        "the request had none, or one that is unknown, expired or revoked.",
    },
  }),
  ...kindsOf(403, {
    forbidden: {
      title: "Scope missing",
      meaning: "The credential is valid but lacks the scope that the operation requires.",
    },
    "role-missing": "The operation requires staff, or at least the role of the user it concerns.",
    "foreign-page": {
      title: "Page of another site",
      meaning:
        "The sandbox's keys are public, so web pages of other sites may use the API but not administer it. The detail says which " +
        "origin or host was not recognised. The console accepts forms from its own pages only.",
    },
    "registration-closed":
      "Registration without a credential is disabled. Staff register users with POST /user/createWithList.",
    "session-required":
      "The operation requires a session of the person it concerns, who logged in with their password (POST /user/login). Access " +
      "tokens of applications are not accepted, regardless of their scopes.",
    "current-password-required":
      "Changing a password, a username or an e-mail address, deleting a user, resetting a password and granting the " +
      "role admin need the caller's own password, in `currentPassword`. It was missing or wrong, and nothing was changed.",
  }),
  ...kindsOf(429, {
    "too-many-requests":
      "The address sent too many requests without a valid credential. Send a valid credential, or try again after " +
      "`Retry-After`.",
    "quota-exceeded":
      "The account has used up its plan's quota in the windows named by `violated-policies`. The request was not counted; " +
      "send it again after `Retry-After`. `RateLimit` on every response says how much is left.",
    "too-many-streams": {
      title: "Too many event streams",
      meaning:
        "The account, or the address, has the maximum number of open event streams. Close one, or try again after `Retry-After`.",
    },
    "too-many-attempts":
      "Too many wrong passwords were sent from this address, or too many attempts for this user are waiting. Try again after `Retry-After`.",
    "too-many-registrations":
      "The address has registered the maximum number of users per hour. Try again after `Retry-After`.",
  }),
}

/** What the audit log tells of: a noun and what became of it. */
export const auditActions = [
  "account.created",
  "account.changed",
  "audit.pruned",
  "consent.ended",
  "consent.given",
  "key.created",
  "key.revoked",
  "key.rotated",
  "login.refused",
  "oauth-client.changed",
  "oauth-client.created",
  "oauth-client.deleted",
  "oauth-client.secret-rotated",
  "password.changed",
  "password.reset",
  "sealing-key.rotated",
  "session.created",
  "session.ended",
  "signing-key.rotated",
  "user.changed",
  "user.created",
  "user.deleted",
  "user.role-changed",
  "webhook.changed",
  "webhook.created",
  "webhook.deleted",
  "webhook.disabled",
  "webhook.secret-rotated",
] as const

/** The name of an action. */
export type AuditAction = (typeof auditActions)[number]

/** The keys that expire within a time are counted when a clock is advanced. */
export const up = () => [
  `CREATE INDEX keys_expiring ON keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL`,
]

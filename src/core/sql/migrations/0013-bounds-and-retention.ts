import type { Dialect } from "../dialect.ts"

export const up = ({ integer, now, jsonInteger }: Dialect) => [
  // user_id is the person whose rights the credential uses, ends_by the end of the credential that created it.
  `ALTER TABLE keys ADD COLUMN user_id ${integer}`,
  `ALTER TABLE keys ADD COLUMN ends_by ${integer}`,
  `ALTER TABLE oauth_clients ADD COLUMN user_id ${integer}`,
  `ALTER TABLE oauth_clients ADD COLUMN expires_at ${integer}`,
  `ALTER TABLE oauth_clients ADD COLUMN allowed_cidrs TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE webhooks ADD COLUMN user_id ${integer}`,
  `CREATE INDEX users_by_account ON users (account_id)`,
  ...["keys", "oauth_clients", "webhooks"].flatMap((table) => [
    `UPDATE ${table} SET user_id =
       (SELECT users.id FROM users WHERE users.account_id = ${table}.account_id AND users.json IS NOT NULL)`,
    `CREATE INDEX ${table}_by_user ON ${table} (user_id)`,
  ]),

  // When an order started to wait for approval, otherwise NULL. Existing orders wait from the upgrade on.
  `ALTER TABLE orders ADD COLUMN waiting_since ${integer}`,
  `UPDATE orders SET waiting_since = ${now} WHERE status = 'placed'`,
  `CREATE INDEX orders_waiting ON orders (waiting_since, id) WHERE waiting_since IS NOT NULL`,
  `CREATE INDEX orders_open_of_account ON orders (account_id) WHERE status IN ('placed', 'approved')`,

  // Derived from the pet's json, like its tags.
  `ALTER TABLE pets ADD COLUMN category_id ${integer} REFERENCES categories (id)`,
  `UPDATE pets SET category_id = ${jsonInteger("json", ["category", "id"])}`,
  `CREATE INDEX pets_by_category ON pets (category_id, id)`,

  `CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL`,
  `CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL`,
  `CREATE INDEX webhook_secrets_retired ON webhook_secrets (retired_at) WHERE retired_at IS NOT NULL`,
]

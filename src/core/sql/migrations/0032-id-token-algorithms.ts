/** Which algorithm signs the ID tokens of a client: NULL means RS256. Clients that were registered before had ES256, and keep it. */
export const up = () => [
  "ALTER TABLE oauth_clients ADD COLUMN id_token_alg TEXT",
  `UPDATE oauth_clients SET id_token_alg = 'ES256'
   WHERE client_id NOT LIKE 'https://%' AND client_id NOT IN ('sample-client-id', 'petstore-docs')`,
]

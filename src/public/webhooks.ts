/** The entry point `@petstore-service/petstore/webhooks`. */
export type { WebhookMessage, WebhookOptions } from "../client/webhooks.ts"
export { verifyWebhook, WebhookRefused } from "../client/webhooks.ts"

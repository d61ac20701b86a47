export type { Calls, Events } from './api.gen.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export { GettoneError, type Problem } from './error.ts'
export { type VerifiedWebhook, verifyWebhook, WebhookError } from './webhook.ts'

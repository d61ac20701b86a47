import { z } from 'zod'
import type { Feature } from '../vocabulary/feature.ts'

/** What is reported to integrations, each with the feature without which a merchant has no such facts. `webhook.test`: sent by hand. */
export const webhookEventFeatures = {
  'sale.made': 'transactionDetails',
  'sale.failed': 'transactionDetails',
  'alarm.raised': undefined,
  'alarm.ended': undefined,
  'machine.online': undefined,
  'machine.offline': undefined,
  'cash.collected': undefined,
  'refund.made': 'customerMedia',
  'price.changed': 'vending',
  'rollout.halted': undefined,
  'round.done': 'productStock',
} as const satisfies Record<string, Feature | undefined>

export type WebhookEvent = keyof typeof webhookEventFeatures
export const webhookEvents = Object.keys(webhookEventFeatures) as [WebhookEvent, ...WebhookEvent[]]
export const WebhookEvent = z.enum(webhookEvents)

/** A message that tries a webhook. */
export const testEvent = 'webhook.test'
export const SentEvent = z.enum([...webhookEvents, testEvent])
export type SentEvent = z.infer<typeof SentEvent>

/** `waiting`: to be sent, or sent again; `delivered`: accepted with a status of 2xx; `failed`: given up after the last attempt. */
export const webhookMessageStates = ['waiting', 'delivered', 'failed'] as const
export const WebhookMessageState = z.enum(webhookMessageStates)
export type WebhookMessageState = z.infer<typeof WebhookMessageState>

/** How it goes for a webhook. `stopped`: disabled by the server, because nothing was accepted for a day and a half. */
export const webhookStates = ['working', 'failing', 'stopped', 'off', 'noSecret'] as const
export const WebhookState = z.enum(webhookStates)
export type WebhookState = z.infer<typeof WebhookState>

/** Why an attempt got no answer. */
export const webhookFaults = ['addressRefused', 'notReachable', 'timedOut', 'noCertificate'] as const
export const WebhookFault = z.enum(webhookFaults)
export type WebhookFault = z.infer<typeof WebhookFault>

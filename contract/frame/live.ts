import { z } from 'zod'
import { recordNouns } from '../vocabulary/change.ts'
import type { Feature } from '../vocabulary/feature.ts'

/** How often the live stream says something, be it only that it is still there, in milliseconds. */
export const liveBeatMillis = 25_000

/** What a hint of the live stream speaks of. */
export const liveTopics = [
  'machine',
  'alarm',
  'transaction',
  'command',
  'audit',
  'configuration',
  'stock',
  'note',
  'merchant',
  ...recordNouns,
] as const
/** Of these a hint names no machines. */
export const topicsOfMerchant = ['merchant', ...recordNouns] as const satisfies readonly LiveTopic[]
export const LiveTopic = z.enum(liveTopics)
export type LiveTopic = z.infer<typeof LiveTopic>

/** Topics of features: merchants with none of a topic's features get no hints of it. */
export const topicFeatures: { readonly [topic in LiveTopic]?: readonly Feature[] } = {
  configuration: ['remoteConfigurations'],
  // Prices come with it.
  stock: ['productStock', 'vending'],
}

/** A hint says what changed, never how; the screen asks again. `posIds` is empty when too many changed to name. */
export const LiveHint = z.strictObject({
  merchantId: z.uuid(),
  topics: z.array(LiveTopic),
  posIds: z.array(z.uuid()),
})
export type LiveHint = z.infer<typeof LiveHint>

/** Who is reading may see more or less than before; the browser asks again who that is, and for what is on its screens. */
export const PersonChanged = z.strictObject({ person: z.literal('changed') })
export const LiveMessage = z.union([LiveHint, PersonChanged])
export type LiveMessage = z.infer<typeof LiveMessage>

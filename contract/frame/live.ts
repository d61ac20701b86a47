import { z } from 'zod'
import type { Feature } from '../vocabulary/feature.ts'
import { recordNouns } from '../vocabulary/record-nouns.ts'

/** The interval of the live stream's messages, including heartbeats, in milliseconds. */
export const liveBeatMillis = 25_000

/** Topics of hints. */
export const liveTopics = [
  'machine',
  'alarm',
  'transaction',
  'command',
  'audit',
  'configuration',
  'stock',
  'price',
  'collection',
  'media',
  'refund',
  'claim',
  'webPaymentOrder',
  'note',
  'merchant',
  'report',
  'dataRetrievalRequest',
  'portal',
  'import',
  ...recordNouns,
] as const
/** Hints of these topics name no machines. */
export const topicsOfMerchant = [
  'merchant',
  'report',
  'webPaymentOrder',
  'dataRetrievalRequest',
  'portal',
  'import',
  'webPaymentOrder',
  ...recordNouns,
] as const satisfies readonly LiveTopic[]
export const LiveTopic = z.enum(liveTopics)
export type LiveTopic = z.infer<typeof LiveTopic>

/** Topics of features: merchants without any of a topic's features get no hints of it. */
export const topicFeatures: { readonly [topic in LiveTopic]?: readonly Feature[] } = {
  // A no-vend profile is sent as configuration.
  configuration: ['remoteConfigurations', 'vending'],
  // Prices are reported with it.
  stock: ['productStock', 'vending'],
  price: ['vending'],
  product: ['vending'],
  planogram: ['vending'],
  noVendProfile: ['vending'],
  round: ['productStock'],
  route: ['productStock'],
  stockPlace: ['warehouse'],
  vpConfiguration: ['remoteConfigurations'],
  cashDatabase: ['cashDatabaseUpdate'],
  firmwareRule: ['firmwareUpdate'],
  cashDatabaseRule: ['cashDatabaseUpdate'],
  media: ['customerMedia'],
  refund: ['customerMedia'],
  claim: ['customerMedia'],
  webPaymentOrder: ['webPayments'],
  customer: ['customerMedia'],
}

/** A hint names what changed, not the new values; the screen reloads. `posIds` is empty when too many changed. */
export const LiveHint = z.strictObject({
  merchantId: z.uuid(),
  topics: z.array(LiveTopic),
  posIds: z.array(z.uuid()),
})
export type LiveHint = z.infer<typeof LiveHint>

/** The user's access has changed; the browser reloads the user and its screens. */
export const PersonChanged = z.strictObject({ person: z.literal('changed') })
export const LiveMessage = z.union([LiveHint, PersonChanged])
export type LiveMessage = z.infer<typeof LiveMessage>

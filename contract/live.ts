import { z } from 'zod'

/** What a hint of the live stream speaks of. */
export const liveTopics = ['machine', 'alarm', 'transaction', 'command', 'audit', 'note', 'merchant'] as const
export const LiveTopic = z.enum(liveTopics)
export type LiveTopic = z.infer<typeof LiveTopic>

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

import { z } from 'zod'

/** Facts of `UpdateDowngrade`: machines with a newer version than an update brings, and their versions, the oldest first. */
export const Downgrade = z.object({
  machines: z.int(),
  versions: z.array(z.string()),
  /** The versions in one text. */
  names: z.string(),
})
export type Downgrade = z.infer<typeof Downgrade>

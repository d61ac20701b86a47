import { z } from 'zod'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'

// The keys of a literal are its names, which Object.keys forgets.
const mediaNames = Object.keys(mediaTypes) as [keyof typeof mediaTypes, ...(keyof typeof mediaTypes)[]]

/** An adapter that listens to the bus, with the unit of amounts until the reader on the bus says its own. */
const UsbSource = z.strictObject({
  kind: z.literal('usb'),
  path: z.string().min(1),
  /** An amount on the bus is its number × scale ÷ 10^decimals. */
  scale: z.int().min(1).max(255).default(1),
  decimals: z.int().min(0).max(4).default(2),
})

/** A board of VMflow, which reports over a broker. */
const VmflowSource = z.strictObject({
  kind: z.literal('vmflow'),
  broker: z.url({ protocol: /^mqtts?$/ }),
  /** The board's number in its topics. */
  board: z.string().regex(/^\d{1,20}$/),
  passkey: z.string().min(1),
})

/** Where sales on the MDB bus are heard, and how they are written. */
export const MdbSettings = z.strictObject({
  source: z.discriminatedUnion('kind', [UsbSource, VmflowSource]),
  /** Decimals of the merchant's currency. */
  digits: z.int().min(0).max(3).default(2),
  /** The medium of cashless sales, which the bus does not name. */
  medium: z.enum(mediaNames).default('unknown'),
})
export type MdbSettings = z.infer<typeof MdbSettings>
export type UsbSource = z.infer<typeof UsbSource>
export type VmflowSource = z.infer<typeof VmflowSource>

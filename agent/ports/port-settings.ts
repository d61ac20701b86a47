import { z } from 'zod'
import type { ReadingOptions } from '../audit/read-machine.ts'
import { beginningRate } from '../audit/read-machine.ts'
import type { SerialSettings } from './serial-port.ts'

const Code = z.int().min(0).max(0xffff)

/** How the machine is wired and how it speaks. */
export const PortSettings = z.strictObject({
  path: z.string().min(1),
  protocol: z.enum(['dex', 'ddcmp']).default('dex'),
  /** Infrared heads and single wires. */
  hasEcho: z.boolean().default(false),
  /** DEX: who begins. */
  role: z.enum(['either', 'master', 'slave']).default('either'),
  /** DEX: revision and level; R01L01 for machines before EVA-DTS 6. */
  revision: z
    .string()
    .regex(/^R\d\dL\d\d$/)
    .optional(),
  /** DDCMP: the highest speed of the adapter. */
  baud: z
    .union([
      z.literal(2400),
      z.literal(4800),
      z.literal(9600),
      z.literal(19_200),
      z.literal(38_400),
      z.literal(57_600),
      z.literal(115_200),
    ])
    .default(9600),
  /** DDCMP: the list that is read without a reset of the interval counters. */
  list: z.int().min(1).max(255).default(2),
  securityCode: Code.default(0),
  passCode: Code.default(0),
})
export type PortSettings = z.infer<typeof PortSettings>

export const serialSettings = ({ path, protocol, hasEcho }: PortSettings): SerialSettings => ({
  path,
  baud: beginningRate[protocol],
  hasEcho,
})

/** `id`: our communication id. `clock`: our local time, `2026-11-21T08:00:00`. */
export function readingOptions(settings: PortSettings, { id, clock }: { id: string; clock: string }): ReadingOptions {
  const { protocol, role, revision, baud, list, securityCode, passCode } = settings
  return protocol === 'dex' ? { protocol, id, role, revision } : { protocol, baud, list, securityCode, passCode, clock }
}

import { z } from 'zod'
import { AuditPort } from '#contract/vocabulary/audit.ts'

/** What the agent reports with a number, as it is kept until the portal has it. `at` is an instant of the agent's clock. */
const head = { seq: z.int().min(1), at: z.number() }
/** By this name a source that may send something twice names it. The portal does not get it. */
const source = z.string().optional()

export const AgentItem = z.discriminatedUnion('kind', [
  z.object({ ...head, kind: z.literal('audit'), origin: z.int(), port: AuditPort, data: z.base64() }),
  z.object({
    ...head,
    kind: z.literal('result'),
    commandId: z.uuid(),
    outcome: z.enum(['success', 'warning', 'error', 'unsupported']),
    info: z.string().optional(),
  }),
  z.object({
    ...head,
    kind: z.literal('event'),
    code: z.string(),
    active: z.boolean(),
    message: z.string().optional(),
    /** The code of the fault, for the portal’s own words. */
    detail: z.string().optional(),
    source,
  }),
  z.object({
    ...head,
    kind: z.literal('sale'),
    type: z.int(),
    mediaType: z.int(),
    mediaSource: z.int(),
    priceLine: z.int().optional(),
    value: z.int().min(0),
    errorSale: z.boolean().optional(),
    source,
  }),
])
export type AgentItem = z.infer<typeof AgentItem>

type WithoutNumber<T> = T extends unknown ? Omit<T, 'seq'> : never
/** An item before it has its number. */
export type NewItem = WithoutNumber<AgentItem>

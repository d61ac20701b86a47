import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'

/** Why a message, or one item of it, was set aside. */
export const deadLetterReasons = [
  ...(['notJson', 'invalid', 'invalidItem', 'oversized', 'unknownKind'] as const),
  ...(['staleEpoch', 'tooManyGaps'] as const),
] as const
export const DeadLetterReason = z.enum(deadLetterReasons)

export const replayOutcomes = ['stored', 'repeated', 'refused'] as const

/** A message of a machine, or one item of it, that could not be understood. Kept for support; nothing waits for it. */
export const DeadLetter = z.strictObject({
  id: z.uuid(),
  at: Instant,
  serial: z.string().nullable(),
  merchantId: z.uuid().nullable(),
  merchantName: z.string().nullable(),
  /** The machine that has the serial now. */
  posId: z.uuid().nullable(),
  kind: z.string(),
  transport: z.enum(['mqtt', 'http']),
  /** A reason of this version, or of another one. */
  reason: z.string(),
  detail: z.string(),
  /** Stored bytes of the payload. */
  size: z.int(),
  /** Whether it was replayed, and the result. */
  replay: z
    .strictObject({
      requestedAt: Instant,
      requestedBy: z.string(),
      at: Instant.nullable(),
      outcome: z.enum(replayOutcomes).nullable(),
      detail: z.string().nullable(),
    })
    .nullable(),
})
export type DeadLetter = z.infer<typeof DeadLetter>

/** The same with its payload: as text where it is text, else in hexadecimal digits; the first 64 kB. */
export const DeadLetterContent = DeadLetter.extend({ payload: z.string(), isText: z.boolean(), isCut: z.boolean() })
export type DeadLetterContent = z.infer<typeof DeadLetterContent>

export const DeadLetterFilters = z.strictObject({
  /** A part of a serial. */
  search: Search.optional(),
  reasons: oneOrMany(DeadLetterReason),
  transports: oneOrMany(z.enum(['mqtt', 'http'])),
  isReplayed: Flag.optional(),
})
export type DeadLetterFilters = z.infer<typeof DeadLetterFilters>

export const deadLetterColumns = {
  reason: { kind: 'word', heading: 'dead-letter:column.reason', of: 'deadLetterReason' },
  state: { kind: 'word', heading: 'dead-letter:column.state', of: 'replayState' },
  serial: { kind: 'serial', heading: 'dead-letter:column.serial' },
  merchant: { kind: 'text', heading: 'dead-letter:column.merchant' },
  kind: { kind: 'text', heading: 'dead-letter:column.kind' },
  transport: { kind: 'plain', heading: 'dead-letter:column.transport' },
  detail: { kind: 'text', heading: 'dead-letter:column.detail' },
  size: { kind: 'number', heading: 'dead-letter:column.size' },
  at: { kind: 'instant', heading: 'dead-letter:column.at' },
} as const satisfies ListColumns

export const deadLetterOrds = ordsOf(deadLetterColumns, 'at')

export const deadLetters = {
  listDeadLetters: endpoint({
    method: 'GET',
    path: '/admin/dead-letters',
    summary: 'List machine messages that could not be read, newest first',
    needs: 'deadLetter.read',
    query: DeadLetterFilters.extend(paged(deadLetterOrds)),
    ok: pageOf(DeadLetter),
  }),
  getDeadLetter: endpoint({
    method: 'GET',
    path: '/admin/dead-letters/{letterId}',
    summary: 'Get a dead letter with its payload',
    needs: 'deadLetter.read',
    ok: DeadLetterContent,
    fails: ['DeadLetterNotFound'],
  }),
  replayDeadLetter: endpoint({
    method: 'POST',
    path: '/admin/dead-letters/{letterId}/replay',
    summary: 'Replay a dead letter through the gateway; repeated requests replay it once',
    needs: 'deadLetter.write',
    ok: DeadLetter,
    status: 202,
    fails: ['DeadLetterNotFound', 'DeadLetterReplayed'],
  }),
}

/** The same for every merchant in the path. */
export const exportedDeadLetters = {
  row: deadLetters.listDeadLetters,
  filters: DeadLetterFilters,
  ords: deadLetterOrds,
  columns: deadLetterColumns,
} as const satisfies ExportedList

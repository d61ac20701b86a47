import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { DeadLetter, type DeadLetterContent, type deadLetters } from '#contract/platform/dead-letter.ts'
import type { Doors } from '#database/frame/tenant.ts'
import {
  type DeadLetterRecord,
  findDeadLetter,
  listDeadLetters,
  payloadOf,
  requestReplay,
  shownBytes,
} from '#database/platform/dead-letter-replay.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

export function presentDeadLetter(row: DeadLetterRecord): DeadLetter {
  const [reason = '', ...detail] = row.reason.split(': ')
  return wireOf(DeadLetter, row, {
    posId: row.machine_id,
    reason,
    detail: detail.join(': '),
    replay: row.replay_requested_at && {
      requestedAt: toWire(row.replay_requested_at),
      requestedBy: row.replay_requested_by ?? '',
      at: toWireOrNull(row.replayed_at),
      outcome: row.replay_outcome as NonNullable<DeadLetter['replay']>['outcome'],
      detail: row.replay_detail,
    },
  })
}

/** Bytes in readable form. Binary content is shown as hexadecimal digits. */
export function readable(bytes: Uint8Array): Pick<DeadLetterContent, 'payload' | 'isText'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // The expression searches for control characters on purpose.
    if (!/[\u0000-\u0008\u000e-\u001f]/.test(text)) return { payload: text, isText: true }
  } catch {
    // Not UTF-8, or cut within a character.
  }
  return { payload: Buffer.from(bytes).toString('hex'), isText: false }
}

async function letterOf(doors: Doors, id: string): Promise<DeadLetterRecord> {
  const letter = await findDeadLetter(doors, id)
  if (!letter) throw new ProductError('DeadLetterNotFound')
  return letter
}

export const deadLetterHandlers: Handlers<typeof deadLetters> = {
  listDeadLetters: async ({ doors, query }) => {
    const { rows, total, capped } = await listDeadLetters(doors, query)
    return { items: rows.map(presentDeadLetter), total, capped }
  },

  getDeadLetter: async ({ doors, params }) => {
    const letter = await letterOf(doors, params.letterId)
    const payload = (await payloadOf(doors, letter.id)) ?? new Uint8Array()
    return { ...presentDeadLetter(letter), ...readable(payload), isCut: letter.size > shownBytes }
  },

  replayDeadLetter: async ({ doors, params, user, now }) => {
    const letter = await letterOf(doors, params.letterId)
    const waits = await requestReplay(doors, letter.id, user, now)
    if (!waits) throw new ProductError('DeadLetterReplayed')
    return presentDeadLetter(await letterOf(doors, letter.id))
  },
}

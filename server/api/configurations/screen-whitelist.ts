import { randomUUIDv7 } from 'node:crypto'
import {
  mostSkippedNamed,
  mostWhitelistedInAll,
  type screenWhitelist,
  WhitelistEntry,
} from '#contract/configurations/screen-whitelist.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import {
  countWhitelist,
  enrolmentDaysOf,
  listedAmong,
  removeEntry,
  storeWhitelist,
  whitelistRows,
} from '#database/configurations/screen-whitelist.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { whitelistLines } from '#domain/configurations/whitelist-lines.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

/** Serials in the log; more are only counted. */
const mostLogged = 50

/** Serials whose screens may enrol. */
export const screenWhitelistHandlers: Handlers<typeof screenWhitelist> = {
  listWhitelist: async ({ db, query }) => {
    const { rows, total, capped } = await whitelistRows.list(db, query)
    return {
      items: rows.map((row) => wireOf(WhitelistEntry, row, { state: row.state as WhitelistEntry['state'] })),
      total,
      capped,
    }
  },

  addToWhitelist: async ({ db, params, body, user, now, live }) => {
    const { merchantId } = params
    if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const { serials, skipped } = whitelistLines(body.serials)
    const listed = await listedAmong(db, merchantId, [...serials.keys()])
    const enrolled = listed.filter(({ enrolled_at }) => enrolled_at !== null).map(({ serial }) => serial)
    const renewed = listed.filter(({ enrolled_at }) => enrolled_at === null).map(({ serial }) => serial)
    const listedSerials = new Set([...enrolled, ...renewed])
    const unlisted = [...serials].filter(([serial]) => !listedSerials.has(serial))
    const room = Math.max(0, mostWhitelistedInAll - (await countWhitelist(db, merchantId)))
    if (room === 0 && unlisted.length > 0 && listedSerials.size === 0)
      throw new ProductError('WhitelistFull', { most: mostWhitelistedInAll })
    const added = unlisted.slice(0, room).map(([serial]) => serial)
    for (const [text, line] of unlisted.slice(room)) skipped.push({ line, text, reason: 'full' })
    skipped.sort((one, other) => one.line - other.line)
    const until = new Date(now.getTime() + (await enrolmentDaysOf(db, merchantId)) * 86_400_000)
    const entries = [...added, ...renewed].sort().map((serial) => ({ id: randomUUIDv7(), serial }))
    await storeWhitelist(db, merchantId, entries, { by: user.name, now, until })
    if (entries.length > 0)
      await recordChange(db, {
        merchantId,
        at: now,
        user,
        action: 'whitelistEntry.add',
        subjectType: 'whitelistEntry',
        subjectId: entries[0]?.serial ?? '',
        after: { count: entries.length, serials: entries.slice(0, mostLogged).map(({ serial }) => serial) },
      })
    db.afterCommit(() => live.announce(merchantId, 'screenConfiguration'))
    return {
      added: added.length,
      renewed,
      enrolled,
      skipped: skipped.slice(0, mostSkippedNamed),
      skippedTotal: skipped.length,
      expiresAt: toWire(until),
    }
  },

  removeFromWhitelist: async ({ db: narrow, params, user, now, live }) => {
    const db = withinScope(narrow, user.scope)
    const removed = await removeEntry(db, params.whitelistEntryId)
    if (!removed) throw new ProductError('WhitelistEntryNotFound')
    await recordChange(db, {
      merchantId: removed.merchant_id,
      at: now,
      user,
      action: 'whitelistEntry.remove',
      subjectType: 'whitelistEntry',
      subjectId: removed.serial,
      before: { serial: removed.serial },
    })
    db.afterCommit(() => live.announce(removed.merchant_id, 'screenConfiguration'))
  },
}

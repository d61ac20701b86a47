import { randomUUIDv7 } from 'node:crypto'
import {
  isSerial,
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
    const [valid, invalid] = [new Set<string>(), new Set<string>()]
    const duplicates = new Set<string>()
    for (const text of body.serials) {
      const serial = text.trim()
      if (!isSerial(serial)) invalid.add(text.slice(0, 100))
      else if (valid.has(serial)) duplicates.add(serial)
      else valid.add(serial)
    }
    const listed = await listedAmong(db, merchantId, [...valid])
    const enrolled = listed.filter(({ enrolled_at }) => enrolled_at !== null).map(({ serial }) => serial)
    const renewed = listed.filter(({ enrolled_at }) => enrolled_at === null).map(({ serial }) => serial)
    const known = new Set([...enrolled, ...renewed])
    const added = [...valid].filter((serial) => !known.has(serial))
    if ((await countWhitelist(db, merchantId)) + added.length > mostWhitelistedInAll)
      throw new ProductError('WhitelistFull', { most: mostWhitelistedInAll })
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
      duplicates: [...duplicates],
      invalid: [...invalid],
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

import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { Kiosk, type KioskState, kioskPath, type kiosks, mostKiosks } from '#contract/sales/kiosk.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { countToAdd, insertKiosk, type KioskRecord, listKiosks, removeKiosk } from '#database/sales/kiosk.ts'
import { mayLast } from '#domain/sales/kiosk.ts'
import { dayIn } from '#domain/time/period.ts'
import type { Handlers } from '#server/http/handler.ts'
import { publicOriginOf } from '#server/http/origin.ts'
import { type ShownName, withShownNames } from '#server/http/redact-names.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'
import { mayStillCreate, newKioskSecret } from '#server/kiosk/admit.ts'
import { hashOfSecret } from '#server/secrets/hash.ts'
import { spotsOnMap } from '../machines/machine-map.ts'
import { dashboardFigures } from './dashboard-figures.ts'

const stateOf = ({ isOver }: KioskRecord, mayCreate: boolean): KioskState =>
  isOver ? 'over' : mayCreate ? 'open' : 'withoutCreator'

const present = (kiosk: ShownName<KioskRecord, 'created_by_name'>, state: KioskState): Kiosk =>
  wireOf(Kiosk, kiosk, { state, createdBy: kiosk.created_by_name })

/** Wall displays: their links, and what a display shows. */
export const kioskHandlers: Handlers<typeof kiosks> = {
  listKiosks: async (call) => {
    const { db, doors, params, now } = call
    refuseAll(params.merchantId)
    const rows = await listKiosks(db, params.merchantId, now)
    const states = new Map<string, KioskState>()
    for (const row of rows) {
      const mayCreate = row.isOver || (await mayStillCreate(doors, row.created_by, row.merchant_id))
      states.set(row.id, stateOf(row, mayCreate))
    }
    const shown = await withShownNames(call, rows, 'created_by', 'created_by_name')
    return shown.map((row) => present(row, states.get(row.id) ?? 'open'))
  },

  createKiosk: async (call) => {
    const { db, params, body, user, now, live, config, request } = call
    const { merchantId } = params
    refuseAll(merchantId)
    if (!seesAllGroups(user.scope, merchantId)) throw new ProductError('Forbidden')
    const { time_zone: timeZone } = await db
      .from('merchants')
      .where('merchants.id', '=', merchantId)
      .select('merchants.time_zone')
      .executeTakeFirstOrThrow()
    if (!mayLast(body.lastDay, dayIn(now, timeZone))) refuseLastDay()
    if ((await countToAdd(db, merchantId)) >= mostKiosks) throw new ProductError('TooManyKiosks')
    const secret = newKioskSecret(merchantId)
    const id = randomUUIDv7()
    const { name, shows, groupId, lastDay } = body
    await insertKiosk(db, {
      merchant_id: merchantId,
      id,
      name,
      shows,
      group_id: groupId,
      token_hash: hashOfSecret(secret),
      last_day: lastDay,
      created_at: now,
      created_by: user.id,
      created_by_name: user.name,
    })
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      subjectType: 'kiosk',
      subjectId: id,
      action: 'kiosk.create',
      after: { name, shows, groupId, lastDay },
    })
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    const row = (await listKiosks(db, merchantId, now)).find((one) => one.id === id)
    if (!row) throw new ProductError('KioskNotFound')
    return { link: `${publicOriginOf(config, request)}${kioskPath}#${secret}`, details: present(row, 'open') }
  },

  endKiosk: async ({ db, params, user, now, live }) => {
    const { merchantId, kioskId } = params
    refuseAll(merchantId)
    const name = await removeKiosk(db, merchantId, kioskId)
    if (name === undefined) throw new ProductError('KioskNotFound')
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      subjectType: 'kiosk',
      subjectId: kioskId,
      action: 'kiosk.end',
      before: { name },
    })
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return undefined
  },

  getKiosk: async ({ kiosk }) => ({
    name: kiosk.name,
    shows: kiosk.shows,
    merchantName: kiosk.merchantName,
    groupName: kiosk.group_name,
    currency: kiosk.currency,
    timeZone: kiosk.timeZone,
    lastDay: kiosk.last_day,
  }),

  getKioskDashboard: ({ db, now }) => dashboardFigures(db, now),

  mapKiosk: ({ db, query }) => spotsOnMap(db, query),
}

function refuseLastDay(): never {
  const fault = { path: 'lastDay', code: 'custom', message: 'rule.date', rule: 'rule.date' }
  throw new ProductError('ValidationFailed', { errors: [fault] })
}

import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/instant.ts'
import type { SapCode, sapCodes } from '#contract/sap-code.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { lastChanges, recordChange } from '#database/change-log.ts'
import {
  findSapCode,
  insertSapCode,
  listSapCodes,
  removeSapCode,
  type SapCodeRecord,
  sapCodeToEdit,
  writeSapCode,
} from '#database/sap-code.ts'
import { changedFields, isOvertaken } from '#domain/editing.ts'
import { seesInvisible } from './as-told.ts'
import type { Handlers } from './handler.ts'

const subjectType = 'sapCode'

const present = (row: SapCodeRecord): SapCode => ({
  id: row.id,
  merchantId: row.merchant_id,
  code: row.code,
  description: row.description,
  version: row.version,
  createdAt: toWire(row.created_at),
})

/** What the change log says of it. */
const said = ({ code, description }: Pick<SapCodeRecord, 'code' | 'description'>) => ({ code, description })

const known = (row: SapCodeRecord | undefined): SapCodeRecord => {
  if (!row) throw new ProductError('SapCodeNotFound')
  return row
}

/** What a merchant's keys are called in SAP. */
export const sapCodeHandlers: Handlers<typeof sapCodes> = {
  listSapCodes: async ({ db, query }) => {
    const { rows, total, capped } = await listSapCodes(db, query)
    return { items: rows.map(present), total, capped }
  },

  getSapCode: async ({ db, params }) => present(known(await findSapCode(db, params.sapcodeId))),

  createSapCode: async ({ db, params, body, user, now }) => {
    const { merchantId } = params
    if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const row = { merchant_id: merchantId, id: randomUUIDv7(), ...body, version: 1, created_at: now }
    await insertSapCode(db, row)
    const subject = { subjectType, subjectId: row.id, after: said(row) }
    await recordChange(db, { merchantId, at: now, user, action: 'sapCode.create', ...subject })
    return present(row)
  },

  updateSapCode: async ({ db, params, body, user, now }) => {
    const row = known(await sapCodeToEdit(db, params.sapcodeId))
    const { version: _, ...fields } = body
    if (isOvertaken(body, { ...row })) {
      const changed = (await lastChanges(db, subjectType, [row.id], seesInvisible(user))).get(row.id)
      throw new ProductError('EditConflict', {
        current: present(row),
        changedAt: changed ? toWire(changed.at) : null,
        changedBy: changed?.by ?? null,
      })
    }
    if (changedFields(fields, said(row)).length === 0) return present(row)
    await writeSapCode(db, { ...row, ...fields })
    const subject = { subjectType, subjectId: row.id, before: said(row), after: fields }
    await recordChange(db, { merchantId: row.merchant_id, at: now, user, action: 'sapCode.update', ...subject })
    return present({ ...row, ...fields, version: row.version + 1 })
  },

  deleteSapCode: async ({ db, params, user, now }) => {
    const row = known(await sapCodeToEdit(db, params.sapcodeId))
    await removeSapCode(db, row)
    const subject = { subjectType, subjectId: row.id, before: said(row) }
    await recordChange(db, { merchantId: row.merchant_id, at: now, user, action: 'sapCode.delete', ...subject })
    return undefined
  },
}

import { toWire } from '#contract/frame/instant.ts'
import { NewSapCode, type SapCode, type sapCodes } from '#contract/merchants/sap-code.ts'
import { findSapCode, listSapCodes, type SapCodeRecord } from '#database/merchants/sap-code.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'

const present = (row: SapCodeRecord): SapCode => ({
  id: row.id,
  merchantId: row.merchant_id,
  code: row.code,
  description: row.description,
  version: row.version,
  createdAt: toWire(row.created_at),
})

const record = editable({
  noun: 'sapCode',
  param: 'sapcodeId',
  table: 'key_sap_codes',
  fields: NewSapCode,
  find: findSapCode,
  present,
  missing: 'SapCodeNotFound',
  duplicates: { key_sap_codes_by_code: ['SapCodeTaken'] },
})

/** What a merchant's keys are called in SAP. */
export const sapCodeHandlers: Handlers<typeof sapCodes> = {
  listSapCodes: async ({ db, query }) => {
    const { rows, total, capped } = await listSapCodes(db, query)
    return { items: rows.map(present), total, capped }
  },
  getSapCode: record.get,
  createSapCode: record.create,
  updateSapCode: record.update,
  deleteSapCode: record.remove,
}

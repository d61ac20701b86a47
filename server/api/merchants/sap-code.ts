import { NewSapCode, SapCode, type sapCodes } from '#contract/merchants/sap-code.ts'
import { sapCodeList } from '#database/merchants/sap-code.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

const record = editable({
  noun: 'sapCode',
  param: 'sapcodeId',
  rows: sapCodeList,
  fields: NewSapCode,
  present: (row) => wireOf(SapCode, row),
  missing: 'SapCodeNotFound',
  duplicates: { key_sap_codes_by_code: ['SapCodeTaken', 'code'] },
})

/** What a merchant's keys are called in SAP. */
export const sapCodeHandlers: Handlers<typeof sapCodes> = {
  listSapCodes: record.list,
  getSapCode: record.get,
  createSapCode: record.create,
  updateSapCode: record.update,
  deleteSapCode: record.remove,
}

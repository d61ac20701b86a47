import { recordList } from '../frame/record-list.ts'

/** The SAP codes of merchants' keys. */
export const sapCodeList = recordList({ list: 'sapCodes', table: 'key_sap_codes' })

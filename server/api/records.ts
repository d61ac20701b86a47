import type { RecordNoun } from '#contract/vocabulary/record-nouns.ts'
import { depositRecord } from './cash/deposit.ts'
import { customerRecord } from './cashless/customer.ts'
import { noVendRecord } from './catalogue/no-vend-profile.ts'
import { planogramRecord } from './catalogue/planogram.ts'
import { productRecord } from './catalogue/product.ts'
import { screenRecord } from './configurations/screen-configuration.ts'
import { vpRecord } from './configurations/vp-record.ts'
import { licenceRecord } from './licences/licence.ts'
import { clientRecord } from './merchants/client.ts'
import { groupRecord } from './merchants/group.ts'
import { sapCodeRecord } from './merchants/sap-code.ts'
import { webhookRecord } from './merchants/webhook.ts'
import { roundRecord } from './stock/round.ts'
import { routeRecord } from './stock/route.ts'
import { cashDatabaseRecord } from './updates/cash-database.ts'
import { cashDatabaseRuleRecord, firmwareRuleRecord } from './updates/rule-records.ts'
import { stockPlaceRecord } from './warehouse/stock-place.ts'

/** Records that people edit. Their calls and their files come from here: a new one is one line. */
const records = {
  group: groupRecord,
  client: clientRecord,
  sapCode: sapCodeRecord,
  product: productRecord,
  planogram: planogramRecord,
  noVendProfile: noVendRecord,
  vpConfiguration: vpRecord,
  screenConfiguration: screenRecord,
  stockPlace: stockPlaceRecord,
  round: roundRecord,
  route: routeRecord,
  deposit: depositRecord,
  customer: customerRecord,
  cashDatabase: cashDatabaseRecord,
  firmwareRule: firmwareRuleRecord,
  cashDatabaseRule: cashDatabaseRuleRecord,
  licence: licenceRecord,
  webhook: webhookRecord,
} satisfies { readonly [N in RecordNoun]?: { handlers: object; files: object } }

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer All) => void ? All : never
type OneRecord = (typeof records)[keyof typeof records]
const merged = (part: 'handlers' | 'files') => Object.assign({}, ...Object.values(records).map((each) => each[part]))

export const handlersOfRecords = merged('handlers') as Both<OneRecord['handlers']>
export const filesOfRecords = merged('files') as Both<OneRecord['files']>

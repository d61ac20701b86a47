import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportLists } from '#contract/export/export-lists.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { customerList } from '../cashless/customer.ts'
import { mediaList } from '../cashless/media-list.ts'
import { webPaymentOrderList } from '../cashless/web-payment-order.ts'
import { noVendProfileList } from '../catalogue/no-vend-profile.ts'
import { planogramList } from '../catalogue/planogram.ts'
import { productList } from '../catalogue/product.ts'
import { screenConfigurationList } from '../configurations/screen-configuration.ts'
import { whitelistRows } from '../configurations/screen-whitelist.ts'
import { vpConfigurationList } from '../configurations/vp-configuration.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { licenceList } from '../licences/licence.ts'
import { clientList } from '../merchants/client.ts'
import { groupList } from '../merchants/group.ts'
import { sapCodeList } from '../merchants/sap-code.ts'
import { webhookList } from '../merchants/webhook.ts'
import { roundList } from '../stock/round.ts'
import { cashDatabaseList } from '../updates/cash-database.ts'
import { cashDatabaseRuleList, firmwareRuleList } from '../updates/update-rule.ts'

/* The orders of lists that are no record list have their SQL by hand, and the compiler asks for each. */

const lists = [
  ...[customerList, mediaList, webPaymentOrderList, noVendProfileList, planogramList, productList],
  ...[screenConfigurationList, whitelistRows, vpConfigurationList, licenceList, clientList, groupList, sapCodeList],
  ...[webhookList, roundList, cashDatabaseList, cashDatabaseRuleList, firmwareRuleList],
] as unknown as {
  files: Partial<Record<keyof typeof exportLists, unknown>>
  list(db: TenantDb, query: object): Promise<{ total: number }>
}[]

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
})
afterAll(() => database?.close())

test.each(lists.map((of) => ({ of, name: Object.keys(of.files)[0] as keyof typeof exportLists })))(
  'each column of $name that says nothing else has an order in the database',
  async ({ of, name }) => {
    const { ords } = exportLists[name]
    await database.withTenant(wholeMerchant(merchantId), async (db) => {
      for (const ord of ords)
        for (const ordType of ['ASC', 'DESC'])
          expect((await of.list(db, { page: 1, size: 20, ord, ordType })).total).toBe(0)
    })
  },
)

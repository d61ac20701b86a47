import type { Content } from 'pdfmake/interfaces.js'
import { ProductError } from '#contract/errors.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { ProductToBuyFilters } from '#contract/warehouse/buying.ts'
import { formatAmount } from '#domain/money/money.ts'
import { numbersIn } from '#domain/money/number-style.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { pdfOf, pdfTable, sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'
import { productsMatching } from './products-to-buy.ts'

type Call = TenantCall & { query: ProductToBuyFilters & { language?: Language | undefined } }

const right = 'right' as const

/** Drawing more would keep the server busy for seconds, and the file has them all. */
const mostPrinted = 2000

/** What to buy on paper: a table for each supplier, with its sum. */
export async function sendBuyingPdf({ db, query, user, now, reply }: Call): Promise<undefined> {
  const [scope, ...others] = db.scope
  if (!scope || others.length > 0) throw new ProductError('MerchantNotSelected')
  const merchant = await db.from('merchants').select(['name', 'currency', 'time_zone']).executeTakeFirstOrThrow()
  const { language: wanted, ...filters } = query
  const language = wanted ?? (user.language as Language | null) ?? 'en'
  const t = wordsIn(language, 'buying')
  const currency = merchant.currency as Currency
  const number = numbersIn(language, currency)
  const products = await productsMatching(db, now, filters)
  const bySupplier = Map.groupBy(products.slice(0, mostPrinted), ({ supplier }) => supplier)
  const content = [...bySupplier].flatMap(([supplier, ofSupplier]): Content[] => {
    const cost = ofSupplier.reduce((sum, one) => sum + (one.cost ?? 0), 0)
    return [
      { text: supplier ?? t('noSupplier'), fontSize: 12.5, bold: true, margin: [0, 16, 0, 6] },
      pdfTable(
        [
          { heading: t('column.product'), share: 1 },
          { heading: t('column.productCode') },
          { heading: t('column.packs'), align: right },
          { heading: t('column.packSize'), align: right },
          { heading: t('column.toBuy'), align: right },
          { heading: t('column.cost'), align: right },
        ],
        [
          ...ofSupplier.map((one) => [
            one.product,
            one.productCode,
            one.packSize === null ? '' : number.format(one.packs),
            one.packSize === null ? '' : number.format(one.packSize),
            number.format(one.toBuy),
            one.cost === null ? '' : formatAmount(one.cost, currency),
          ]),
          [t('sum'), '', '', '', '', formatAmount(cost, currency)],
        ],
      ),
    ]
  })
  const left = products.length - mostPrinted
  if (left > 0)
    content.push({
      text: t('more', { count: left, number: number.format(left) }),
      italics: true,
      margin: [0, 16, 0, 0],
    })
  const bytes = await pdfOf({
    language,
    title: t('title'),
    merchant: merchant.name,
    now,
    timeZone: merchant.time_zone,
    content: content.length > 0 ? content : [{ text: t('empty.title'), italics: true }],
  })
  return sendPdf(reply, t('title'), bytes)
}

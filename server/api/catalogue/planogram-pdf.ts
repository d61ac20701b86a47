import type { PlanogramLine, PricesByTable } from '#contract/catalogue/planogram.ts'
import { ProductError } from '#contract/errors.ts'
import { planogramTypes } from '#contract/vocabulary/catalogue/product.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { findPlanogram } from '#database/catalogue/planogram.ts'
import { productsNamed } from '#database/catalogue/product-choice.ts'
import { formatAmount } from '#domain/money/money.ts'
import { numbersIn } from '#domain/money/number-style.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { pdfFacts, pdfOf, pdfTable, sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'

type Call = TenantCall & { params: { planogramId: string }; query: { language?: Language | undefined } }

/** The price tables that some selection has a price in. */
const tablesOf = (lines: readonly PlanogramLine[]) =>
  Object.values(priceTables)
    .map((number): keyof PricesByTable => `${number}`)
    .filter((table) => lines.some(({ prices }) => prices[table] !== undefined))

/** A planogram on paper: its selections, each with product, pieces and prices. */
export async function sendPlanogramPdf({ db, params, query, user, now, reply }: Call): Promise<undefined> {
  const planogram = await findPlanogram(db, params.planogramId)
  if (!planogram) throw new ProductError('PlanogramNotFound')
  const { lines, name } = planogram
  const language = query.language ?? (user.language as Language | null) ?? 'en'
  const t = wordsIn(language, 'planogram')
  const vocabulary = wordsIn(language, 'vocabulary')
  const productIds = lines.flatMap(({ productId }) => (productId ? [productId] : []))
  const products = new Map((await productsNamed(db, [...new Set(productIds)])).map((one) => [one.id, one]))
  const tables = tablesOf(lines)
  const currency = planogram.currency as Currency
  const number = numbersIn(language, currency)
  const right = 'right' as const
  const columns = [
    { heading: t('line.selection') },
    { heading: t('line.product'), share: 1 },
    { heading: t('line.capacity'), align: right },
    { heading: t('line.warningLevel'), align: right },
    { heading: t('line.refillValue'), align: right },
    ...tables.map((table) => ({ heading: vocabulary(`priceTable.${nameOf(priceTables, table)}`), align: right })),
  ]
  const rows = lines.map((line) => {
    const product = line.productId && products.get(line.productId)
    return [
      line.selection,
      product ? `${product.name} (${product.code})` : '–',
      ...[line.capacity, line.warningLevel, line.refillValue].map((pieces) => number.format(pieces)),
      ...tables.map((table) => {
        const price = line.prices[table]
        return price === undefined ? '' : formatAmount(price, currency)
      }),
    ]
  })
  const bytes = await pdfOf({
    language,
    title: name,
    subtitle: planogram.description ?? undefined,
    merchant: planogram.merchant_name,
    now,
    timeZone: planogram.time_zone,
    isLandscape: tables.length > 3,
    content: [
      pdfFacts([
        [t('field.planogramType'), vocabulary(`productType.${planogramTypes[planogram.planogram_type as 'A' | 'B']}`)],
        [t('column.selections'), number.format(lines.length)],
        [t('column.machines'), number.format(planogram.machines)],
        [t('pdf.currency'), currency],
      ]),
      lines.length > 0
        ? pdfTable(columns, rows, { isLandscape: tables.length > 3 })
        : { text: t('pdf.empty'), italics: true },
    ],
  })
  return sendPdf(reply, name, bytes)
}

import type { AuditContent } from '#contract/audits/audit-content.ts'
import { usePriceListName } from '../usePriceListName.ts'
import { useReading } from '../useReading.ts'
import { Rows, Section } from './Section.tsx'

const deviceNames: Record<string, string> = {
  CA: 'payment.cash',
  DA: 'payment.cashless1',
  DB: 'payment.cashless2',
  TA: 'peripheral.token',
}

/** What each selection has sold by price list and payment (PA7), and the price lists themselves (LA1), with products' names. */
export function PriceLists({ content }: { content: AuditContent }) {
  const { t, amount, count } = useReading(content.money)
  const nameOf = usePriceListName(content)
  const { selections, priceRows } = content
  const names = new Map(selections.map(({ selection, name }) => [selection, name]))
  const sold = selections.flatMap(({ selection, name, payments }) =>
    payments.map((row) => ({ selection, name, ...row })),
  )
  return (
    <>
      {sold.length > 0 && (
        <Section title={t('section.byPriceList')} from="PA7" aside={sold.length}>
          <Rows
            caption={t('section.byPriceList')}
            heads={[
              { name: t('head.selection') },
              { name: t('head.product') },
              { name: t('head.priceList') },
              { name: t('head.means') },
              { name: t('head.price'), align: 'end' },
              { name: t('head.vends'), align: 'end' },
              { name: t('head.value'), align: 'end' },
            ]}
            rows={sold.map(({ selection, name, device, priceList, price, sold: { sinceInitialisation } }) => [
              <code key="selection">{selection}</code>,
              name,
              nameOf(priceList, device),
              device && deviceNames[device] ? t(deviceNames[device]) : device,
              amount(price),
              count(sinceInitialisation.count),
              amount(sinceInitialisation.value),
            ])}
          />
        </Section>
      )}
      {priceRows.length > 0 && (
        <Section title={t('section.prices')} from="LA1" aside={priceRows.length}>
          <Rows
            caption={t('section.prices')}
            heads={[
              { name: t('head.priceList') },
              { name: t('head.selection') },
              { name: t('head.product') },
              { name: t('head.price'), align: 'end' },
              { name: t('head.count'), align: 'end' },
              { name: t('head.countSinceReset'), align: 'end' },
            ]}
            rows={priceRows.map(({ priceList, selection, price, sold: counts }) => [
              nameOf(priceList),
              selection,
              selection === null ? null : names.get(selection),
              amount(price),
              count(counts.sinceInitialisation),
              count(counts.sinceReset),
            ])}
          />
        </Section>
      )}
    </>
  )
}

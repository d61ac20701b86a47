import type { AuditContent } from '#contract/audits/audit-content.ts'
import { soldOf } from '#domain/audits/paid-sales.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { useReading } from '../useReading.ts'
import { Rows, Section } from './Section.tsx'

/** Price and sales of each selection. */
export function Selections({ content }: { content: AuditContent }) {
  const { t, amount, count, time } = useReading(content.money)
  const { selections } = content
  return (
    <Section title={t('section.selections')} from="PA1–PA7" aside={selections.length} isEmpty={selections.length === 0}>
      <Rows
        caption={t('section.selections')}
        heads={[
          { name: t('head.selection') },
          { name: t('head.product') },
          { name: t('head.price'), align: 'end' },
          { name: t('head.vends'), align: 'end' },
          { name: t('head.value'), align: 'end' },
          { name: t('head.countSinceReset'), align: 'end' },
          { name: t('head.valueSinceReset'), align: 'end' },
          { name: t('head.remark') },
        ]}
        rows={selections.map(
          ({ selection, name, price, sold: counted, payments, isAbsent, soldOutAt, level, minimum }) => {
            const sold = soldOf({ sold: counted, payments })
            return [
              <code key="selection">{selection}</code>,
              name,
              amount(price),
              count(sold?.sinceInitialisation.count ?? null),
              amount(sold?.sinceInitialisation.value ?? null),
              count(sold?.sinceReset.count ?? null),
              amount(sold?.sinceReset.value ?? null),
              isAbsent ? (
                <Badge key="state" tone="mute" mark="dash">
                  {t('selection.absent')}
                </Badge>
              ) : soldOutAt ? (
                <Badge key="state" tone="warn" mark="triangle" title={time(soldOutAt)}>
                  {t('selection.soldOut')}
                </Badge>
              ) : level === null ? (
                ''
              ) : minimum === null ? (
                t('selection.level', { level })
              ) : (
                t('selection.levelOf', { level, minimum })
              ),
            ]
          },
        )}
      />
    </Section>
  )
}

import { useTranslation } from 'react-i18next'
import type { MerchantFacts } from '#contract/people/user.ts'
import { type DemoState, demoStateOf } from '#contract/vocabulary/demo.ts'
import { useFormat, writeDay } from '#portal/app/i18n/format.ts'
import type { Tone } from '#portal/app/theme/theme.ts'
import { Badge, type Mark } from '#portal/ui/value/StatusBadge.tsx'

const looks = {
  running: { tone: 'info', mark: 'dot' },
  ending: { tone: 'warn', mark: 'clock' },
  ended: { tone: 'crit', mark: 'cross' },
} as const satisfies Record<DemoState, { tone: Tone; mark: Mark }>

/** Marks a demo merchant, with its progress; nothing for other merchants. */
export function DemoBadge({
  merchant,
}: {
  merchant: Pick<MerchantFacts, 'isDemo' | 'demoDaysLeft' | 'demoExpiresOn'>
}) {
  const { t } = useTranslation('merchant')
  const format = useFormat()
  const { isDemo, demoDaysLeft, demoExpiresOn } = merchant
  if (!isDemo) return null
  const state = demoStateOf(demoDaysLeft) ?? 'running'
  const day = demoExpiresOn && writeDay(demoExpiresOn, format.language)
  return <Badge {...looks[state]}>{day ? t(`demo.${state}`, { day }) : t('demo.endless')}</Badge>
}

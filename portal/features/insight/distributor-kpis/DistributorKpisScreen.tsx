import { Box, Group, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { kpiIntervalLimits } from '#contract/rules/number.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { PeriodChoice, usePeriodSearch } from '#portal/ui/time/PeriodChoice.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import tabs from '../../../ui/page/Tabs.module.css'
import { KpiMachines } from './KpiMachines.tsx'
import { KpiMerchants } from './KpiMerchants.tsx'
import { KpiOverview } from './KpiOverview.tsx'
import { intervals, useCash, useFleetQuery } from './useFleet.ts'

/** Rejections, downtime and MCBF of all machines; under all merchants, of the merchants side by side. */
export default function DistributorKpisScreen() {
  const { t } = useTranslation(['distributor-kpis', 'kpi'])
  const format = useFormat()
  const { isAll } = useMerchant()
  const go = useGo()
  const addressView = oneOf(useAddressQuery(), 'view')
  const { days, periodValue } = useFleetQuery()
  const { set } = usePeriodSearch(kpiIntervalLimits)
  const cash = useCash()
  const views = ['overview', ...(isAll ? ['merchants'] : []), 'machines'] as const
  const view = views.find((one) => one === addressView) ?? 'overview'
  const show = (next: string) =>
    void go({
      here: { view: next === 'overview' ? undefined : next, page: undefined, ord: undefined, ordType: undefined },
    })
  return (
    <>
      <ScreenHeader title={t('title')} />
      <Group gap="xs" mb="sm">
        <Segments
          name={t('interval')}
          value={days === undefined ? '' : String(days)}
          choose={(next) => set([], { days: next })}
          options={intervals.map((each) => ({
            value: String(each),
            label: t('kpi:days', { count: each, number: format.number(each) }),
          }))}
        />
        <PeriodChoice
          value={periodValue}
          limits={kpiIntervalLimits}
          choose={(next) => set(next, { days: undefined })}
        />
        {cash.data && cash.data.startDate <= cash.data.endDate && (
          <Text span c="dimmed" fz="sm">
            {t('asOf', { from: format.day(cash.data.startDate), to: format.day(cash.data.endDate) })}
          </Text>
        )}
      </Group>
      <div className={tabs.tabs} role="group" aria-label={t('views')}>
        {views.map((one) => (
          <UnstyledButton key={one} className={tabs.tab} aria-pressed={one === view} onClick={() => show(one)}>
            {t(one)}
          </UnstyledButton>
        ))}
      </div>
      {cash.error && !cash.data ? (
        <ErrorState error={cash.error} retry={cash.refetch} />
      ) : !cash.data ? (
        <Box mih={300} bdrs="md" bg="var(--sunken)" opacity={0.6} aria-busy="true" />
      ) : view === 'machines' ? (
        <KpiMachines cash={cash.data} />
      ) : view === 'merchants' ? (
        <KpiMerchants cash={cash.data} />
      ) : (
        <KpiOverview cash={cash.data} />
      )}
    </>
  )
}

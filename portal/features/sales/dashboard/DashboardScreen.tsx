import { Box, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dashboards } from '#contract/sales/dashboard.ts'
import { usualPeriods } from '#domain/time/comparison.ts'
import { dayIn } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { useInSlices } from '#portal/ui/page/useInSlices.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { MachinesMapCard } from './MachinesMapCard.tsx'
import { NeedsYouCard } from './NeedsYouCard.tsx'
import { SalesByHour } from './SalesByHour.tsx'
import { weekdayOf } from './sales.ts'
import { TodayCards } from './TodayCards.tsx'

const FirstStepsCard = lazyPart(
  () => import('#portal/features/merchants/first-steps/FirstStepsCard.tsx'),
  ['first-steps'],
)

/** The refresh interval, independent of live updates. */
const refreshMs = 5 * 60_000

/** Machines that need attention, today's sales, and the map. Every part has its size before its numbers load. */
export default function DashboardScreen() {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const merchant = useMerchant()
  const answer = useQuery({
    ...queryOf(dashboards.getDashboard, { params: { merchantId: merchant.id } }),
    refetchInterval: refreshMs,
  })
  const today = useInSlices(answer.data)
  // The day is known before the numbers, so its line shows at once.
  const day = today?.day ?? dayIn(new Date(), merchant.timeZone)
  // Until the numbers are there, the line assumes all four.
  const usualDays = today ? Math.max(0, ...today.sales.map((sales) => sales.usualDays)) : usualPeriods
  const lastDays = t(`lastDays.${weekdayOf(day)}`, { count: usualDays, number: format.number(usualDays) })
  const written = format.day(day, 'weekday')
  const isEmpty = today?.machines.total === 0
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={usualDays > 0 ? t('subtitle', { day: written, lastDays }) : written} />
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : (
        <Stack gap="part" aria-busy={!today}>
          {today?.hasFirstSteps && (
            <Part fallback={<Box mih={430} />}>
              <FirstStepsCard />
            </Part>
          )}
          <TodayCards today={today} />
          <SimpleGrid cols={{ base: 1, sm: isEmpty ? 1 : 2 }} spacing="part">
            <NeedsYouCard today={today} />
            {!isEmpty && <MachinesMapCard />}
          </SimpleGrid>
          <SalesByHour today={today} lastDays={lastDays} />
        </Stack>
      )}
    </>
  )
}

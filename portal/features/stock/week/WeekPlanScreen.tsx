import { Button, Flex, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { mostStops as mostStopsOfRound } from '#contract/stock/round.ts'
import { routes } from '#contract/stock/route.ts'
import { type WeekPlan, weekPlans } from '#contract/stock/week-plan.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { CreateRounds } from './CreateRounds.tsx'
import { DayColumn } from './DayColumn.tsx'
import { LeftOutCard } from './LeftOutCard.tsx'
import { useChosenStops } from './useChosenStops.ts'
import { WeekFigures } from './WeekFigures.tsx'

/** A proposal of rounds for seven days. Machines of one merchant are compared. */
export default function WeekPlanScreen() {
  const { t } = useTranslation('week-plan')
  const { id, isAll } = useMerchant()
  if (!isAll) return <Planned key={id} merchantId={id} />
  return (
    <>
      <ScreenHeader title={t('title')} />
      <EmptyState title={t('oneMerchant')} text={t('oneMerchantText')} />
    </>
  )
}

function Planned({ merchantId }: { merchantId: string }) {
  const { t } = useTranslation('week-plan')
  const { timeZone } = useMerchant()
  const go = useGo()
  const address = useAddressQuery()
  const today = dayIn(new Date(), timeZone)
  const firstDay = oneOf(address, 'firstDay')
  const mostStops = Number(oneOf(address, 'mostStops')) || undefined
  const query = { ...(firstDay && { firstDay }), ...(mostStops && { mostStops }) }
  const change = (here: { firstDay?: string | undefined; mostStops?: string | undefined }) =>
    void go({ here }, { replace: true })
  const answer = useQuery({
    ...queryOf(weekPlans.getWeekPlan, { params: { merchantId }, query }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <ScreenHeader
        title={t('title')}
        subtitle={t('subtitle')}
        actions={
          <Flex gap="near" wrap="wrap" align="end">
            <TextInput
              type="date"
              label={t('firstDay')}
              value={firstDay ?? addDays(today, 1)}
              min={today}
              onChange={({ currentTarget }) => change({ firstDay: currentTarget.value || undefined })}
            />
            <NumberInput
              label={t('mostStops')}
              placeholder={t('asRoute')}
              value={mostStops ?? ''}
              min={1}
              max={mostStopsOfRound}
              clampBehavior="strict"
              allowDecimal={false}
              onChange={(value) => change({ mostStops: typeof value === 'number' ? `${value}` : undefined })}
            />
          </Flex>
        }
      />
      {answer.data ? (
        <Week plan={answer.data} merchantId={merchantId} />
      ) : answer.error ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}

/** What a plan without rounds means: no visit is needed, or no route serves what needs one. */
function WhyEmpty({ plan: { rounds, planned, leftOut } }: { plan: WeekPlan }) {
  const { t } = useTranslation('week-plan')
  const go = useGo()
  const mayCreate = useMay(routes.createRoute)
  if (rounds.length > 0) return null
  if (leftOut.some(({ why }) => why === 'noRoute'))
    return (
      <EmptyState title={t('noRoutes.title')} text={t('noRoutes.text')}>
        {mayCreate && <Button onClick={() => void go({ to: '/devices/routes/create' })}>{t('noRoutes.create')}</Button>}
      </EmptyState>
    )
  if (planned.length > 0 || leftOut.length > 0) return null
  return <EmptyState title={t('empty.title')} text={t('empty.text')} />
}

const days = [0, 1, 2, 3, 4, 5, 6]

/** The days of a plan with their rounds, and the machines that are left out. */
function Week({ plan, merchantId }: { plan: WeekPlan; merchantId: string }) {
  const { t } = useTranslation('week-plan')
  const mayCreate = useMay(weekPlans.createWeekRounds)
  const chosen = useChosenStops(plan)
  return (
    <Stack gap="part">
      <WeekFigures rounds={chosen.rounds} currency={plan.currency} />
      <WhyEmpty plan={plan} />
      {mayCreate && plan.rounds.length > 0 && <CreateRounds rounds={chosen.rounds} merchantId={merchantId} />}
      {(plan.rounds.length > 0 || plan.planned.length > 0) && (
        <SimpleGrid cols={{ base: 1, md: 7 }} spacing="near" verticalSpacing="part">
          {days.map((number) => (
            <DayColumn
              key={number}
              day={addDays(plan.startDate, number)}
              plan={plan}
              chosen={mayCreate ? chosen : undefined}
            />
          ))}
        </SimpleGrid>
      )}
      {plan.leftOut.length > 0 && <LeftOutCard machines={plan.leftOut} currency={plan.currency} />}
      <Text c="dimmed" fz="fine">
        {t('estimates')}
      </Text>
    </Stack>
  )
}

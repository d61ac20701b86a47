import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostStops, type NewRound, type Round, rounds, type VisitCandidate } from '#contract/stock/round.ts'
import { type Route, routes } from '#contract/stock/route.ts'
import { type StopOrder, stopOrders } from '#contract/stock/stop-order.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type Drive, routeKm } from '#domain/stock/round.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useGo, useLeave } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { sentenceOf } from '../../../app/apiError.ts'
import { CandidateList } from './CandidateList.tsx'
import { ChosenStops, type PlannedStop } from './ChosenStops.tsx'
import { FromRoute } from './FromRoute.tsx'
import { placeOfRound } from './placeOfRound.ts'
import classes from './Round.module.css'
import { RoundFields } from './RoundFields.tsx'
import { type MapStop, RouteMap } from './RouteMap.tsx'
import { reasonTones } from './roundLooks.ts'
import { useCandidates, useMissing } from './useCandidates.ts'
import { usePlan } from './usePlan.ts'

const toneOf = ({ reasons }: PlannedStop): MapStop['tone'] => {
  const tone = reasons[0] ? reasonTones[reasons[0].kind] : 'mute'
  return tone === 'crit' || tone === 'warn' ? tone : 'mute'
}
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)

/** The chosen stops in driving order; the map also has the other candidates. */
function usePlannedStops(
  { merchantId, day, posIds }: { merchantId: string; day: string; posIds: readonly string[] },
  round: Round | undefined,
  candidates: readonly VisitCandidate[],
): { stops: PlannedStop[]; mapStops: MapStop[] } {
  const found = useMemo(() => {
    const all = new Map<string, PlannedStop>()
    for (const stop of round?.stopList ?? []) all.set(stop.posId, stop)
    for (const candidate of candidates) all.set(candidate.posId, candidate)
    return all
  }, [round, candidates])
  const missing = useMissing(
    merchantId,
    day,
    useMemo(() => posIds.filter((posId) => !found.has(posId)), [posIds, found]),
  )
  const stopsById = useMemo(
    () => new Map<string, PlannedStop>([...missing.map((one) => [one.posId, one] as const), ...found]),
    [missing, found],
  )
  const stops = useMemo(() => posIds.flatMap((posId) => stopsById.get(posId) ?? []), [posIds, stopsById])
  const mapStops = useMemo(
    (): MapStop[] => [
      ...stops.map((stop, at) => ({ ...stop, number: at + 1, tone: toneOf(stop) })),
      ...candidates
        .filter(({ posId }) => !posIds.includes(posId))
        .map((stop) => ({ ...stop, number: null, tone: toneOf(stop) })),
    ],
    [stops, candidates, posIds],
  )
  return { stops, mapStops }
}

/** Where the round's route begins, and whether it ends there. The shortest order of a round without a route begins at its first stop. */
function useDrive(merchantId: string, routeId: string | null): Pick<Route, 'start' | 'returns'> {
  const answer = useQuery({
    ...queryOf(routes.getRoute, { params: { merchantId, routeId: routeId ?? '' } }),
    enabled: routeId !== null,
  })
  const { start = null, returns = false } = (routeId !== null && answer.data) || {}
  return { start, returns }
}

/** The way by roads, while the stops have the order that it is of. */
const wayOf = (order: StopOrder | undefined, posIds: readonly string[]): StopOrder | undefined =>
  order?.by === 'road' && order.posIds.join() === posIds.join() ? order : undefined

/** What the chosen stops amount to. `due`: the number of candidates; `way`: by roads, where it is known. */
function PlanFigures({
  stops,
  due,
  currency,
  drive,
  way,
}: {
  stops: readonly PlannedStop[]
  due: number
  currency: Currency
  drive: Drive
  way: StopOrder | undefined
}) {
  const { t } = useTranslation('round')
  const format = useFormat()
  return (
    <StatCards>
      <StatCard
        label={t('plan.stops')}
        value={format.number(stops.length)}
        note={t('plan.ofDue', { count: due, number: format.number(due) })}
      />
      <StatCard
        label={t('plan.lostSales')}
        value={<Amount minor={sum(stops.map(({ lostSales }) => lostSales))} currency={currency} />}
        note={t('plan.estimate')}
      />
      <StatCard
        label={t('plan.cash')}
        value={<Amount minor={sum(stops.map(({ cashInBox }) => cashInBox ?? 0))} currency={currency} />}
      />
      <StatCard label={t('plan.pieces')} value={format.number(sum(stops.map(({ pieces }) => pieces)))} />
      <StatCard
        label={t('plan.distance')}
        value={t('plan.km', {
          number: format.number(way?.kilometers ?? routeKm(stops, drive), { maximumFractionDigits: 1 }),
        })}
        note={
          way?.minutes === undefined || way.minutes === null
            ? t('plan.asTheCrowFlies')
            : t('plan.byRoad', { number: format.number(way.minutes) })
        }
      />
    </StatCards>
  )
}

/** What the user has entered about a round, kept over a sign-in. */
function usePlanInput(round: Round | undefined) {
  const { t } = useTranslation('round')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const tomorrow = addDays(dayIn(new Date(), timeZone), 1)
  const [fields, setFields] = useState({
    day: round?.day ?? tomorrow,
    name: round?.name,
    assigneeId: round?.assigneeId ?? null,
    van: round?.vanId ? { value: round.vanId, label: round.vanName ?? '–' } : null,
    routeId: round?.routeId ?? null,
    note: round?.note ?? '',
  })
  const [isTouched, setTouched] = useState(false)
  const plan = usePlan(round?.posIds ?? [])
  useKeptInput({
    name: 'plan',
    input: useMemo(() => ({ ...fields, posIds: plan.posIds }), [fields, plan.posIds]),
    isDirty: isTouched,
    restore: ({ posIds, ...entered }) => {
      setFields(entered)
      plan.set(posIds)
      setTouched(true)
    },
  })
  const { day, name, assigneeId, van, routeId, note } = fields
  return {
    /** Its name is that of the day until the user writes another. */
    values: {
      day,
      name: name ?? (day ? t('plan.name', { day: format.day(day, 'weekday') }) : ''),
      assigneeId,
      van,
      routeId,
      note,
    },
    tomorrow,
    posIds: plan.posIds,
    isTouched,
    change: (changed: Partial<typeof fields>) => {
      setTouched(true)
      setFields((now) => ({ ...now, ...changed }))
    },
    toggle: (posId: string) => {
      setTouched(true)
      plan.toggle(posId)
    },
    add: (posIds: readonly string[]) => {
      setTouched(true)
      plan.set((now) => [...now, ...posIds])
    },
    move: (from: number, to: number) => {
      setTouched(true)
      plan.move(from, to)
    },
    startFrom: ({ posIds, ...entered }: Pick<NewRound, 'name' | 'assigneeId' | 'routeId' | 'posIds'>) => {
      setTouched(true)
      setFields((now) => ({ ...now, ...entered }))
      plan.set(posIds)
    },
    /** Puts the chosen stops in another order. */
    reorder: (ordered: readonly string[]) => {
      setTouched(true)
      plan.set((chosen) =>
        ordered.filter((posId) => chosen.includes(posId)).concat(chosen.filter((posId) => !ordered.includes(posId))),
      )
    },
  }
}

type PlanInput = ReturnType<typeof usePlanInput>

/** Chooses machines for a round, in driving order, with a map, a day and a user. */
export function PlanBoard({ round }: { round: Round | undefined }) {
  const { t } = useTranslation('round')
  const format = useFormat()
  const { id: merchantId, currency } = useMerchant()
  const input = usePlanInput(round)
  const day = input.values.day || input.tomorrow
  const { answer, candidates, total, ...found } = useCandidates(merchantId, day)
  const { stops, mapStops } = usePlannedStops({ merchantId, day, posIds: input.posIds }, round, candidates)
  const drive = useDrive(merchantId, input.values.routeId)
  const order = useCommand(stopOrders.orderStops, { onDone: ({ posIds }) => input.reorder(posIds) })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  const boardCurrency = found.currency ?? currency ?? 'EUR'
  return (
    <Stack gap="part" mt="part" className={classes.plan}>
      <UnsavedGuard isDirty={input.isTouched} />
      <PlanFigures
        stops={stops}
        due={total}
        currency={boardCurrency}
        drive={drive}
        way={wayOf(order.data, input.posIds)}
      />
      <Columns of="minmax(0, 1.15fr) minmax(0, 1fr)" from="md" gap="part" align="start">
        <Card
          title={t('plan.candidates')}
          note={format.number(total)}
          isFlush
          actions={<ChooseAll input={input} candidates={candidates} round={round} />}
        >
          <CandidateList
            candidates={candidates}
            left={total - candidates.length}
            more={answer.hasNextPage ? () => void answer.fetchNextPage() : undefined}
            isLoading={answer.isPending}
            isLoadingMore={answer.isFetchingNextPage}
            selectedIds={input.posIds}
            roundId={round?.id}
            currency={boardCurrency}
            toggle={input.toggle}
          />
        </Card>
        <Stack gap="part" miw={0}>
          <RoundCard round={round} input={input} stopCount={stops.length} />
          <OrderCard
            input={input}
            stops={stops}
            mapStops={mapStops}
            currency={boardCurrency}
            shorten={() => order.mutate({ params: { merchantId }, body: { posIds: [...input.posIds], ...drive } })}
            isShortening={order.isPending}
          />
        </Stack>
      </Columns>
    </Stack>
  )
}

/** Adds all listed machines that are on no other round, as many as a round may have. */
function ChooseAll({
  input,
  candidates,
  round: ownRound,
}: {
  input: PlanInput
  candidates: readonly VisitCandidate[]
  round: Round | undefined
}) {
  const { t } = useTranslation('round')
  const format = useFormat()
  const free = candidates
    .filter(({ posId, round }) => (!round || round.id === ownRound?.id) && !input.posIds.includes(posId))
    .slice(0, mostStops - input.posIds.length)
    .map(({ posId }) => posId)
  if (free.length < 2) return null
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => input.add(free)}>
      {t('plan.chooseAll', { count: free.length, number: format.number(free.length) })}
    </Button>
  )
}

/** The round's day, name, user and note, and its save. */
function RoundCard({ round, input, stopCount }: { round: Round | undefined; input: PlanInput; stopCount: number }) {
  const { t } = useTranslation(['round', 'errors', 'ui'])
  const format = useFormat()
  const go = useGo()
  const leave = useLeave()
  const { id: merchantId } = useMerchant()
  const params = { merchantId }
  const users = useQuery(queryOf(rounds.listRoundAssignees, { params }))
  const create = useCommand(rounds.createRound, { isQuiet: true })
  const update = useCommand(rounds.updateRound, { isQuiet: true })
  const error = create.error ?? update.error
  const { day, name, note } = input.values
  const save = async () => {
    const { van, ...values } = input.values
    const body = { ...values, vanId: van?.value ?? null, note: note.trim() || null, posIds: [...input.posIds] }
    const saved = round
      ? await update.mutateAsync({
          params: { merchantId, roundId: round.id },
          body: { ...body, version: round.version },
        })
      : await create.mutateAsync({ params, body })
    await leave(placeOfRound(saved))
  }
  return (
    <Card title={t('round:plan.round')}>
      {!round && (
        <FromRoute
          merchantId={merchantId}
          day={input.values.day || input.tomorrow}
          start={input.startFrom}
          leave={() => input.change({ routeId: null })}
        />
      )}
      <RoundFields value={input.values} users={users.data ?? []} change={input.change} />
      {error && (
        <Text mt="sm" c="crit" role="alert">
          {sentenceOf((key, values) => t(key, values), error)}
        </Text>
      )}
      <Flex gap="near" wrap="wrap" mt="part">
        <Button
          onClick={() => void save().catch(() => undefined)}
          loading={create.isPending || update.isPending}
          disabled={!name.trim() || !day || stopCount === 0 || stopCount > mostStops}
        >
          {t('round:plan.save', { count: stopCount, number: format.number(stopCount) })}
        </Button>
        <Button variant="default" onClick={() => void go(round ? placeOfRound(round) : { to: '/devices/rounds' })}>
          {t('ui:cancel')}
        </Button>
      </Flex>
    </Card>
  )
}

interface OrderProps {
  input: PlanInput
  stops: readonly PlannedStop[]
  mapStops: MapStop[]
  currency: Currency
  shorten: () => void
  isShortening: boolean
}

/** The stops in driving order, on a map and as a list. */
function OrderCard({ input, stops, mapStops, currency, shorten, isShortening }: OrderProps) {
  const { t } = useTranslation('round')
  return (
    <Card
      title={t('plan.order')}
      note={t('plan.inOrder')}
      isFlush
      actions={
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconRoute size={15} aria-hidden />}
          disabled={stops.length < 3}
          loading={isShortening}
          onClick={shorten}
        >
          {t('plan.shortest')}
        </Button>
      }
    >
      <RouteMap stops={mapStops} height={300} choose={input.toggle} />
      <ChosenStops stops={stops} currency={currency} move={input.move} remove={input.toggle} />
    </Card>
  )
}

import { Button, Flex, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostStops, type Round, rounds, type VisitCandidate } from '#contract/stock/round.ts'
import { routeKm } from '#domain/stock/round.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useGo, useLeave } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { ErrorState, sentenceOf } from '#portal/ui/page/ErrorState.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CandidateList } from './CandidateList.tsx'
import { ChosenStops, type PlannedStop } from './ChosenStops.tsx'
import { placeOfRound } from './placeOfRound.ts'
import classes from './Round.module.css'
import { type MapStop, RouteMap } from './RouteMap.tsx'
import { reasonTones } from './roundLooks.ts'
import { usePlan } from './usePlan.ts'

const toneOf = ({ reasons }: PlannedStop): MapStop['tone'] => {
  const tone = reasons[0] ? reasonTones[reasons[0].kind] : 'mute'
  return tone === 'crit' || tone === 'warn' ? tone : 'mute'
}
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)

const none: readonly VisitCandidate[] = []

/** Chooses machines for a round, in driving order, with a map, a day and a user. */
export function PlanBoard({ round }: { round: Round | undefined }) {
  const { t } = useTranslation(['round', 'errors', 'ui'])
  const format = useFormat()
  const go = useGo()
  const leave = useLeave()
  const { id: merchantId, timeZone, currency } = useMerchant()
  const tomorrow = addDays(dayIn(new Date(), timeZone), 1)
  const [day, setDay] = useState(round?.day ?? tomorrow)
  const [name, setName] = useState(round?.name)
  const [assigneeId, setAssigneeId] = useState(round?.assigneeId ?? null)
  const [note, setNote] = useState(round?.note ?? '')
  const [isTouched, setTouched] = useState(false)
  const plan = usePlan(round?.posIds ?? [])
  useKeptInput({
    name: 'plan',
    input: useMemo(
      () => ({ day, name, assigneeId, note, posIds: plan.posIds }),
      [day, name, assigneeId, note, plan.posIds],
    ),
    isDirty: isTouched,
    restore: (kept) => {
      setDay(kept.day)
      setName(kept.name)
      setAssigneeId(kept.assigneeId)
      setNote(kept.note)
      plan.set(kept.posIds)
      setTouched(true)
    },
  })
  const params = { merchantId }
  const answer = useQuery({
    ...queryOf(rounds.listVisitCandidates, { params, query: { day: day || tomorrow } }),
    placeholderData: keepPreviousData,
  })
  const users = useQuery(queryOf(rounds.listRoundAssignees, { params }))
  const known = useMemo(() => {
    const all = new Map<string, PlannedStop>()
    for (const stop of round?.stopList ?? []) all.set(stop.posId, stop)
    for (const candidate of answer.data?.items ?? []) all.set(candidate.posId, candidate)
    return all
  }, [round, answer.data])
  const candidates = answer.data?.items ?? none
  const stops = useMemo(() => plan.posIds.flatMap((posId) => known.get(posId) ?? []), [plan.posIds, known])
  const mapStops = useMemo(
    (): MapStop[] => [
      ...stops.map((stop, at) => ({ ...stop, number: at + 1, tone: toneOf(stop) })),
      ...candidates
        .filter(({ posId }) => !plan.posIds.includes(posId))
        .map((stop) => ({ ...stop, number: null, tone: toneOf(stop) })),
    ],
    [stops, candidates, plan.posIds],
  )
  const create = useCommand(rounds.createRound, { isQuiet: true })
  const update = useCommand(rounds.updateRound, { isQuiet: true })
  const written = name ?? (day ? t('round:plan.name', { day: format.day(day, 'weekday') }) : '')
  const error = create.error ?? update.error
  const save = async () => {
    const body = { name: written, day, assigneeId, note: note.trim() || null, posIds: [...plan.posIds] }
    const saved = round
      ? await update.mutateAsync({
          params: { merchantId, roundId: round.id },
          body: { ...body, version: round.version },
        })
      : await create.mutateAsync({ params, body })
    await leave(placeOfRound(saved))
  }
  const touch =
    <V,>(set: (value: V) => void) =>
    (value: V) => {
      setTouched(true)
      set(value)
    }
  const toggle = touch((posId: string) => plan.toggle(posId))
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  const shown = answer.data?.currency ?? currency ?? 'EUR'
  return (
    <Stack gap="part" mt="part" className={classes.plan}>
      <UnsavedGuard isDirty={isTouched} />
      <StatCards>
        <StatCard
          label={t('round:plan.stops')}
          value={format.number(stops.length)}
          note={t('round:plan.ofDue', { count: candidates.length, number: format.number(candidates.length) })}
        />
        <StatCard
          label={t('round:plan.lostSales')}
          value={<Amount minor={sum(stops.map(({ lostSales }) => lostSales))} currency={shown} />}
          note={t('round:plan.estimate')}
        />
        <StatCard
          label={t('round:plan.cash')}
          value={<Amount minor={sum(stops.map(({ cashInBox }) => cashInBox ?? 0))} currency={shown} />}
        />
        <StatCard label={t('round:plan.pieces')} value={format.number(sum(stops.map(({ pieces }) => pieces)))} />
        <StatCard
          label={t('round:plan.distance')}
          value={t('round:plan.km', { number: format.number(routeKm(stops), { maximumFractionDigits: 1 }) })}
          note={t('round:plan.asTheCrowFlies')}
        />
      </StatCards>
      <Columns of="minmax(0, 1.15fr) minmax(0, 1fr)" from="md" gap="part" align="start">
        <Card title={t('round:plan.candidates')} note={format.number(candidates.length)} isFlush>
          <CandidateList
            candidates={candidates as readonly VisitCandidate[]}
            isCapped={answer.data?.capped ?? false}
            isLoading={answer.isPending}
            chosen={plan.posIds}
            roundId={round?.id}
            currency={shown}
            toggle={toggle}
          />
        </Card>
        <Stack gap="part" miw={0}>
          <Card title={t('round:plan.round')}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label={t('round:field.name')}
                value={written}
                maxLength={120}
                required
                onChange={({ currentTarget }) => touch(setName)(currentTarget.value)}
              />
              <TextInput
                type="date"
                label={t('round:field.day')}
                value={day}
                required
                onChange={({ currentTarget }) => touch(setDay)(currentTarget.value)}
              />
              <Select
                label={t('round:field.assigneeId')}
                placeholder={t('round:nobody')}
                data={(users.data ?? []).map((user) => ({ value: user.id, label: user.name }))}
                value={assigneeId}
                clearable
                searchable
                onChange={touch(setAssigneeId)}
              />
              <Textarea
                label={t('round:field.note')}
                value={note}
                autosize
                minRows={1}
                maxLength={2000}
                onChange={({ currentTarget }) => touch(setNote)(currentTarget.value)}
              />
            </SimpleGrid>
            {error && (
              <Text mt="sm" c="crit" role="alert">
                {sentenceOf((key, values) => t(key, values), error)}
              </Text>
            )}
            <Flex gap="near" wrap="wrap" mt="part">
              <Button
                onClick={() => void save().catch(() => undefined)}
                loading={create.isPending || update.isPending}
                disabled={!written.trim() || !day || stops.length === 0 || stops.length > mostStops}
              >
                {t('round:plan.save', { count: stops.length, number: format.number(stops.length) })}
              </Button>
              <Button
                variant="default"
                onClick={() => void go(round ? placeOfRound(round) : { to: '/devices/rounds' })}
              >
                {t('ui:cancel')}
              </Button>
            </Flex>
          </Card>
          <Card
            title={t('round:plan.order')}
            note={t('round:plan.inOrder')}
            isFlush
            actions={
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconRoute size={15} aria-hidden />}
                disabled={stops.length < 3}
                onClick={() => {
                  setTouched(true)
                  plan.shorten(stops)
                }}
              >
                {t('round:plan.shortest')}
              </Button>
            }
          >
            <RouteMap stops={mapStops} height={300} choose={toggle} />
            <ChosenStops
              stops={stops}
              currency={shown}
              move={(from, to) => {
                setTouched(true)
                plan.move(from, to)
              }}
              remove={toggle}
            />
          </Card>
        </Stack>
      </Columns>
    </Stack>
  )
}

import { ActionIcon, Flex, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machines/machine.ts'
import { mostStops } from '#contract/stock/round.ts'
import { type ListedRouteStop, type RouteStop, routes } from '#contract/stock/route.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { FindIds } from '#portal/ui/form/choices/FindSelect.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { RecordField } from '#portal/ui/form/record/RecordFields.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { DayChips } from './DayChips.tsx'
import { dayNames } from './dayNames.ts'

/** Names of a route's machines, and other facts of the saved ones. */
function useMachines(merchantId: string | undefined, stops: readonly RouteStop[]) {
  const { routeId } = useParams({ strict: false }) as { routeId?: string }
  const params = { merchantId: merchantId ?? '' }
  const route = useQuery({
    ...queryOf(routes.getRoute, { params: { ...params, routeId: routeId ?? '' } }),
    enabled: routeId !== undefined && merchantId !== undefined,
  })
  const listed = route.data?.stopList ?? []
  const known = new Map(listed.map((stop) => [stop.posId, stop]))
  const missing = stops.flatMap(({ posId }) => (known.has(posId) ? [] : [posId]))
  const added = useQuery({
    ...queryOf(machines.listMachines, { params, query: { ids: missing, size: mostStops } }),
    enabled: missing.length > 0 && merchantId !== undefined,
  })
  const names = new Map(added.data?.items.map(({ id, name }) => [id, name]))
  return {
    nameOf: (posId: string) => known.get(posId)?.posName ?? names.get(posId) ?? '…',
    alsoOn: (posId: string) => known.get(posId)?.alsoOn ?? [],
    deleted: listed.filter(({ isDeleted }) => isDeleted),
  }
}

/** The machines of a route in driving order, each with its days and the hours of its site. */
export function StopsField({ values, merchantId, isNullable: _, ...field }: RecordField) {
  const { t } = useTranslation('route')
  const { value, set, leave, input, isFixed } = useField<RouteStop[], Record<string, unknown>>(field)
  const { nameOf, alsoOn, deleted } = useMachines(merchantId, value)
  const routeDays = (values.days ?? []) as number[] // Cast: the form's own field.
  const move = (from: number, to: number) => {
    const stop = value[from]
    if (!stop || to < 0 || to >= value.length) return
    const others = value.filter((_, at) => at !== from)
    set([...others.slice(0, to), stop, ...others.slice(to)])
  }
  return (
    <Stack gap="part" miw={0} className="whole">
      <FindIds
        key={merchantId}
        {...input}
        label={t('stop.add')}
        row={machines.listMachines}
        by="ids"
        labelOf={({ name, serial }) => `${name} · ${serial}`}
        merchantId={merchantId}
        most={mostStops}
        description={t('stop.hint')}
        disabled={merchantId === undefined}
        ids={value.map(({ posId }) => posId)}
        choose={(posIds) => {
          const byId = new Map(value.map((stop) => [stop.posId, stop]))
          const kept = value.filter(({ posId }) => posIds.includes(posId))
          const added = posIds.filter((posId) => !byId.has(posId))
          set([...kept, ...added.map((posId) => ({ posId, days: [], opensAt: null, closesAt: null }))])
        }}
        onBlur={leave}
      />
      {value.length > 0 && (
        <Stack component="ol" gap="sm" aria-label={t('field.stops')}>
          {value.map((stop, at) => (
            <StopRow
              key={stop.posId}
              stop={stop}
              number={at + 1}
              name={nameOf(stop.posId)}
              alsoOn={alsoOn(stop.posId)}
              routeDays={routeDays}
              isFixed={isFixed}
              isLast={at === value.length - 1}
              change={(changed) => set(value.map((one, place) => (place === at ? { ...one, ...changed } : one)))}
              move={(by) => move(at, at + by)}
              remove={() => set(value.filter((_, place) => place !== at))}
            />
          ))}
        </Stack>
      )}
      {deleted.map(({ posId, posName }) => (
        <Text key={posId} c="dimmed">
          <s>{posName}</s> · {t('stop.deleted')}
        </Text>
      ))}
    </Stack>
  )
}

interface RowProps {
  stop: RouteStop
  number: number
  name: string
  alsoOn: ListedRouteStop['alsoOn']
  routeDays: readonly number[]
  isFixed: boolean
  isLast: boolean
  change: (changed: Partial<RouteStop>) => void
  move: (by: -1 | 1) => void
  remove: () => void
}

function StopRow({ stop, number, name, alsoOn, routeDays, isFixed, isLast, change, move, remove }: RowProps) {
  const { t } = useTranslation('route')
  const format = useFormat()
  const time = (part: 'opensAt' | 'closesAt', label: string) => (
    <TextInput
      type="time"
      w={{ base: 116, xs: 132 }}
      label={label}
      disabled={isFixed}
      value={stop[part] ?? ''}
      onChange={({ currentTarget }) => change({ [part]: currentTarget.value.slice(0, 5) || null })}
    />
  )
  return (
    <Panel component="li" p="sm" radius="inner" bg="transparent">
      <Stack gap="near">
        <Flex gap="near" align="center">
          <Text span fw={600} flex="1" miw={0} className="breaks">
            {format.number(number)}. {name}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('stop.up', { name })}
            disabled={isFixed || number === 1}
            onClick={() => move(-1)}
          >
            <IconArrowUp size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('stop.down', { name })}
            disabled={isFixed || isLast}
            onClick={() => move(1)}
          >
            <IconArrowDown size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('stop.remove', { name })}
            disabled={isFixed}
            onClick={remove}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Flex>
        <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
          <DayChips
            label={t('stop.days', { name })}
            days={stop.days}
            among={routeDays}
            set={(days) => change({ days })}
            isFixed={isFixed}
          />
          {time('opensAt', t('stop.opens'))}
          {time('closesAt', t('stop.closes'))}
        </Flex>
        {alsoOn.map((other) => (
          <Text key={other.id} c="warn" fz="fine">
            {t('stop.alsoOn', { name: other.name, days: dayNames(other.days, format.locale) })}
          </Text>
        ))}
      </Stack>
    </Panel>
  )
}

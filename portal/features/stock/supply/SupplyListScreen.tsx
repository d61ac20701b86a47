import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Supply, supplies, supplyColumns, supplyOrds } from '#contract/stock/supply.ts'
import { stockCounters, stockFindings, stockStatuses } from '#contract/vocabulary/stock.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { usePlanogramFilter } from '#portal/features/catalogue/planogram/usePlanogramFilter.ts'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { LevelLine } from '../stock/LevelLine.tsx'
import classes from '../stock/Stock.module.css'
import { stockLooks } from '../stock/stockLooks.ts'

const order = { ord: 'emptyAt', ordType: 'ASC' } as const
const toneOf = ({ out }: Supply) => (out > 0 ? 'crit' : undefined)
const panelOf = ({ id }: Supply) => ({ kind: 'machine', id }) as const
const placeOf = ({ id }: Supply): Place => ({ to: '/devices/$posId/stock', params: { posId: id } })
const emptyDays = [1, 2, 3, 7, 14]

const columns = recordColumns<Supply>(supplyColumns, supplyOrds, ({ t, format }: Say) => ({
  hidden: ['client', 'planogram', 'low', 'countedBy'],
  aside: 'emptyAt',
  statuses: { stockStatus: stockLooks },
  looks: {
    machine: {
      cell: ({ posName, posSerial }) => (
        <Stack component="span" gap={0} display="inline-flex">
          <strong>{posName}</strong>
          <Text span c="faint" fz="xs">
            {posSerial}
          </Text>
        </Stack>
      ),
      label: ({ posName }) => posName,
    },
    emptyAt: {
      cell: ({ out, emptyAt, timeZone }) =>
        out > 0 ? t('supply:now') : emptyAt === null ? '–' : <When at={emptyAt} timeZone={timeZone} />,
    },
    fill: {
      cell: ({ posName, level, capacity, fillPercent }) =>
        fillPercent === null ? (
          '–'
        ) : (
          <LevelLine>
            <span>{t('stock:of', { level: format.number(level), capacity: format.number(capacity) })}</span>
            <LevelBar percent={fillPercent} warnAt={25} critAt={10} label={t('supply:fillOf', { machine: posName })} />
          </LevelLine>
        ),
    },
    differing: {
      cell: ({ differing }) => (differing === 0 ? '–' : format.number(differing)),
    },
    waiting: {
      cell: ({ waiting }) => (waiting === 0 ? '–' : format.number(waiting)),
    },
    lost: {
      cell: ({ lostPerDay, currency }) => (lostPerDay === 0 ? '–' : <Amount minor={lostPerDay} currency={currency} />),
    },
  },
}))

/** Managed machines with their fill, sorted by the time at which a selection is empty. */
export default function SupplyListScreen() {
  const { t } = useTranslation(['supply', 'stock'])
  const format = useFormat()
  const merchant = useMerchant()
  const { me } = useSession()
  const groups = useGroupOptions()
  const client = useClientFilter()
  // A filter by a field of a feature names one merchant.
  const hasPlanograms =
    !merchant.isAll && merchant.features.has('vending') && Boolean(me && roleMay(me.role, 'planogram.read'))
  const planogram = usePlanogramFilter(hasPlanograms)
  const filters = useGroupSearch(
    useMemo(
      (): Filter[] => [
        { key: 'search', kind: 'text', name: t('supply:filter.search') },
        anyOf('statuses', t('supply:column.status'), stockStatuses, (name) => t(`stock:status.${name}`)),
        anyOf('findings', t('supply:filter.findings'), stockFindings, (name) => t(`supply:finding.${name}`)),
        anyOf('countedBy', t('supply:column.countedBy'), stockCounters, (name) => t(`stock:counter.${name}`)),
        {
          key: 'emptyWithinDays',
          kind: 'select',
          name: t('supply:filter.emptyWithin'),
          options: emptyDays.map((count) => ({
            value: String(count),
            label: t('supply:filter.days', { count, number: format.number(count) }),
          })),
        },
        ...anyKnown('groupIds', t('supply:filter.group'), groups),
        client,
        ...(hasPlanograms ? [planogram] : []),
      ],
      [t, format, groups, client, planogram, hasPlanograms],
    ),
  )
  return (
    <ListScreen
      id="supplies"
      exports="supplies"
      words="supply"
      row={supplies.listSupplies}
      columns={columns}
      filters={filters}
      order={order}
      toneOf={toneOf}
      placeOf={placeOf}
      panelOf={panelOf}
    >
      <Text maw="90ch" c="dimmed" fz="sm" className={classes.note}>
        {t('supply:definition')}
      </Text>
    </ListScreen>
  )
}

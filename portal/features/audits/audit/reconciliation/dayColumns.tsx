import { Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type Quantity,
  type ReconciledDay,
  reconciledDayColumns,
  reconciledDayOrds,
} from '#contract/audits/reconciliation.ts'
import type { ReconciliationLineName } from '#contract/vocabulary/audit.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { DayState } from './DayState.tsx'
import { intervalKindLooks } from './looks.ts'
import { ValueWithVends } from './ValueWithVends.tsx'

const nothing: Quantity = { count: null, value: null }
const sides = (day: ReconciledDay, name: ReconciliationLineName) =>
  day.lines.find((line) => line.name === name) ?? { audited: nothing, other: nothing, difference: nothing }

/** The ordinary state needs no badge. */
const isOdd = (kind: ReconciledDay['kinds'][number]) => kind !== 'counted'

/** The amounts of a line, from one of its two sides, or their difference. */
const both = (line: ReconciliationLineName, side: 'audited' | 'other' | 'difference') => ({
  number: (row: ReconciledDay) => sides(row, line)[side].value,
  cell: (row: ReconciledDay) => (
    <ValueWithVends of={sides(row, line)[side]} currency={row.currency} isDifference={side === 'difference'} />
  ),
})

/** Columns of reconciled days; the machine's own page leaves the machine out. */
export const columnsOf = (isOfMachine: boolean) =>
  recordColumns<ReconciledDay>(reconciledDayColumns, reconciledDayOrds, ({ format }: Say) => ({
    // The machine has a link of its own, so the row's is in its day.
    title: 'day',
    lines: isOfMachine ? ['stretch'] : ['machine', 'stretch'],
    hidden: ['boxDifference'],
    offCards: ['cashIn', 'cashReported', 'reads'],
    without: isOfMachine ? ['machine'] : [],
    looks: {
      day: {
        isFixed: true,
        width: 120,
        label: (row) => (isOfMachine ? format.day(row.day) : `${row.posName}, ${format.day(row.day)}`),
        cell: (row) => (
          <Text span textWrap="nowrap">
            {format.day(row.day)}
          </Text>
        ),
      },
      machine: { isFixed: true, cell: (row) => <Machine row={row} /> },
      state: { card: 'badge', cell: (row) => <State row={row} /> },
      audited: both('sales', 'audited'),
      transmitted: both('sales', 'other'),
      difference: both('sales', 'difference'),
      cashIn: both('cashIn', 'audited'),
      cashReported: both('cashIn', 'other'),
      cashDifference: both('cashIn', 'difference'),
      boxDifference: both('toBox', 'difference'),
      stretch: {
        align: undefined,
        isHidden: !isOfMachine,
        cell: ({ from, to, timeZone }) =>
          from && (
            <span>
              <When at={from} as="minute" timeZone={timeZone} /> – <When at={to} as="minute" timeZone={timeZone} />
            </span>
          ),
      },
    },
  }))

/** A link to the machine's days, with its merchant below under all merchants. */
function Machine({ row: { posId, posName, merchantName } }: { row: ReconciledDay }) {
  const { isAll } = useMerchant()
  const { startDate, endDate, period: preset } = useAddressQuery()
  const period = { startDate, endDate, period: preset }
  return (
    <Stack component="span" gap={0}>
      <PlaceLink place={{ to: '/devices/$posId/audits/days', params: { posId }, search: period }} className="quiet">
        {posName}
      </PlaceLink>
      {isAll && (
        <Text span c="dimmed" fz="fine" lh="fine">
          {merchantName}
        </Text>
      )}
    </Stack>
  )
}

/** What differs, where it is not the sales, whose difference is in its own column. */
const differencesBesideSales = ({ lines }: ReconciledDay) => {
  const differing = lines.filter(({ state }) => state === 'differs').map(({ name }) => name)
  return differing.includes('sales') ? [] : differing
}

/** Whether the day agrees, what is special about its counters, and the reading that covers it. */
function State({ row }: { row: ReconciledDay }) {
  const { t, i18n } = useTranslation('reconciliation')
  const differing = differencesBesideSales(row)
  return (
    <Stack component="span" gap={0}>
      <Flex component="span" gap="tight" wrap="wrap" display="inline-flex">
        <DayState row={row} />
        {row.kinds.filter(isOdd).map((kind) => (
          <StatusBadge key={kind} of={intervalKindLooks} value={kind} />
        ))}
      </Flex>
      {differing.length > 0 && (
        <Text span c="dimmed" fz="fine" lh="fine">
          {new Intl.ListFormat(i18n.language).format(differing.map((name) => t(`line.${name}`)))}
        </Text>
      )}
      {row.spannedBy && (
        <Text span c="dimmed" fz="fine" lh="fine">
          {t('spannedBy')} <When at={row.spannedBy.at} as="minute" timeZone={row.timeZone} />
        </Text>
      )}
    </Stack>
  )
}

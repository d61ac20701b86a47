import { Flex, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quantity, ReconciledDay } from '#contract/audits/reconciliation.ts'
import type { ReconciliationLineName } from '#contract/vocabulary/audit.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { Both } from './Both.tsx'
import { DayState } from './DayState.tsx'
import { intervalKindLooks } from './looks.ts'
import classes from './Reconciliation.module.css'

const nothing: Quantity = { count: null, value: null }
const sides = (day: ReconciledDay, name: ReconciliationLineName) =>
  day.lines.find((line) => line.name === name) ?? { audited: nothing, other: nothing, difference: nothing }

/** The ordinary state needs no badge. */
const isOdd = (kind: ReconciledDay['kinds'][number]) => kind !== 'counted'

/** Columns of reconciled days; the machine's own page leaves the machine out. */
export function useDayColumns({ isOfMachine }: { isOfMachine: boolean }) {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { isAll } = useMerchant()
  return useMemo((): Column<ReconciledDay>[] => {
    const day: Column<ReconciledDay> = {
      id: 'day',
      name: t('column.day'),
      sort: true,
      isFixed: true,
      card: isOfMachine ? 'title' : 'line',
      label: (row) => (isOfMachine ? format.day(row.day) : `${row.posName}, ${format.day(row.day)}`),
      cell: (row) => (
        <Text span textWrap="nowrap">
          {format.day(row.day)}
        </Text>
      ),
    }
    const machine: Column<ReconciledDay> = {
      id: 'machine',
      name: t('column.machine'),
      isFixed: true,
      card: 'title',
      cell: (row) => (
        <Stack component="span" gap={0}>
          <PlaceLink
            place={{
              to: '/devices/$posId/audits/days',
              params: { posId: row.posId },
            }}
            className={classes.place}
          >
            {row.posName}
          </PlaceLink>
          {isAll && (
            <Text span c="dimmed" fz="fine" lh="fine">
              {row.merchantName}
            </Text>
          )}
        </Stack>
      ),
    }
    const both = (
      id: string,
      line: ReconciliationLineName,
      side: 'audited' | 'other' | 'difference',
      more: Partial<Column<ReconciledDay>> = {},
    ): Column<ReconciledDay> => ({
      id,
      name: t(`column.${id}`),
      align: 'end',
      number: (row) => sides(row, line)[side].value,
      unit: 'money',
      currencyOf: ({ currency }) => currency,
      cell: (row) => <Both of={sides(row, line)[side]} currency={row.currency} isDifference={side === 'difference'} />,
      ...more,
    })
    return [
      day,
      ...(isOfMachine ? [] : [machine]),
      {
        id: 'state',
        name: t('column.state'),
        card: 'badge',
        cell: (row) => (
          <Stack component="span" gap={0}>
            <Flex component="span" gap="tight" wrap="wrap" display="inline-flex">
              <DayState row={row} />
              {row.kinds.filter(isOdd).map((kind) => (
                <StatusBadge key={kind} of={intervalKindLooks} value={kind} />
              ))}
            </Flex>
            {row.spannedBy && (
              <Text span c="dimmed" fz="fine" lh="fine">
                {t('spannedBy')} <When at={row.spannedBy.at} as="minute" timeZone={row.timeZone} />
              </Text>
            )}
          </Stack>
        ),
      },
      both('audited', 'sales', 'audited'),
      both('transmitted', 'sales', 'other'),
      both('difference', 'sales', 'difference'),
      both('cashIn', 'cashIn', 'audited', { card: 'none' }),
      both('cashReported', 'cashIn', 'other', { card: 'none' }),
      both('cashDifference', 'cashIn', 'difference'),
      both('boxDifference', 'toBox', 'difference', { isHidden: true, card: 'none' }),
      {
        id: 'reads',
        name: t('column.reads'),
        align: 'end',
        card: 'none',
        number: ({ reads }) => reads,
        cell: ({ reads }) => format.number(reads),
      },
      {
        id: 'stretch',
        name: t('column.stretch'),
        card: 'line',
        isHidden: !isOfMachine,
        cell: ({ from, to, timeZone }) =>
          from && (
            <span>
              <When at={from} as="minute" timeZone={timeZone} /> – <When at={to} as="minute" timeZone={timeZone} />
            </span>
          ),
      },
    ]
  }, [t, format, isAll, isOfMachine])
}

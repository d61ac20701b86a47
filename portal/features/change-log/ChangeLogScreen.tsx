import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChangeLogEntry, changeLog } from '#contract/change-log.ts'
import { changeActions, changeSubjects } from '#contract/vocabulary/change.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { oneOf, type Search } from '../../app/search.ts'
import { useOpenDetail } from '../../ui/DetailDrawer.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column, Filter, Option } from '../../ui/list/types.ts'
import { When } from '../../ui/When.tsx'
import classes from './ChangeLog.module.css'
import { ChangeLogDrawer } from './ChangeLogDrawer.tsx'
import { differencesOf } from './differences.ts'
import { namedIn, Subject } from './Subject.tsx'
import { useChangeWords } from './useChangeWords.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const keyOf = ({ id }: ChangeLogEntry) => id
const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label)

/** Who changed what. */
export default function ChangeLogScreen() {
  const { t } = useTranslation('change-log')
  const merchant = useMerchant()
  const { key, open, close } = useOpenDetail('change')
  const columns = useChangeColumns()
  const filters = useChangeFilters()
  return (
    <>
      <ListScreen
        id="changeLog"
        title={t('title')}
        hasCursor
        exports="changeLog"
        row={changeLog.listChangeLog}
        params={{ merchantId: merchant.id }}
        columns={columns}
        filters={filters}
        order={order}
        keyOf={keyOf}
        onOpen={({ id }) => open(id)}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      <ChangeLogDrawer changeId={key} close={close} />
    </>
  )
}

/** The subject whose changes alone are asked for, from its own page or from one of them, by its name. */
function useAskedSubject(): Option | undefined {
  const { id: merchantId } = useMerchant()
  const subjectId = oneOf(useSearch({ strict: false }) as Search, 'subjectId')
  const query = { subjectId: subjectId ?? '', size: 1 }
  const { data } = useQuery({
    ...queryOf(changeLog.listChangeLog, { params: { merchantId }, query }),
    enabled: subjectId !== undefined,
  })
  const [last] = data?.items ?? []
  const label = (last && namedIn(last)) ?? subjectId
  return useMemo(() => (subjectId && label !== undefined ? { value: subjectId, label } : undefined), [subjectId, label])
}

function useChangeFilters(): Filter[] {
  const { t } = useTranslation('change-log')
  const { id: merchantId } = useMerchant()
  const { actionName, subjectName } = useChangeWords()
  const { data } = useQuery(queryOf(changeLog.getChangeLogChoices, { params: { merchantId } }))
  const subject = useAskedSubject()
  return useMemo((): Filter[] => {
    // What does not stand in the log is not offered; an address may name it all the same.
    const offered = (
      values: readonly string[],
      known: readonly string[] | undefined,
      nameOf: (one: string) => string,
    ) =>
      values
        .filter((value) => known === undefined || known.includes(value))
        .map((value) => ({ value, label: nameOf(value) }))
        .toSorted(byLabel)
    return [
      { key: 'period', kind: 'period', name: t('filter.period') },
      {
        key: 'userIds',
        kind: 'multi',
        name: t('column.who'),
        options: (data?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      {
        key: 'actions',
        kind: 'multi',
        name: t('column.action'),
        values: changeActions,
        options: offered(changeActions, data?.actions, actionName),
      },
      {
        key: 'subjectTypes',
        kind: 'multi',
        name: t('filter.subjectType'),
        values: changeSubjects,
        options: offered(changeSubjects, data?.subjectTypes, subjectName),
      },
      ...(subject
        ? [{ key: 'subjectId', kind: 'select' as const, name: t('column.subject'), options: [subject] }]
        : []),
    ]
  }, [t, data, actionName, subjectName, subject])
}

function useChangeColumns(): Column<ChangeLogEntry>[] {
  const { t } = useTranslation('change-log')
  const { actionName, fieldName } = useChangeWords()
  return useMemo(
    (): Column<ChangeLogEntry>[] => [
      {
        id: 'action',
        name: t('column.action'),
        isFixed: true,
        card: 'title',
        cell: ({ action }) => actionName(action),
      },
      {
        id: 'subject',
        name: t('column.subject'),
        card: 'line',
        cell: (entry) => <Subject entry={entry} />,
      },
      {
        id: 'merchant',
        name: t('column.merchant'),
        isForAll: true,
        cell: ({ merchantName }) => merchantName,
      },
      {
        id: 'changes',
        name: t('column.changes'),
        width: 360,
        card: 'none',
        cell: (entry) =>
          differencesOf(entry)
            .filter(({ isChanged }) => isChanged)
            .map(({ field }) => fieldName(field))
            .join(', '),
      },
      {
        id: 'who',
        name: t('column.who'),
        cell: ({ userName }) => userName ?? <span className={classes.who}>{t('ui:provider')}</span>,
      },
      {
        id: 'at',
        name: t('column.at'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ at, timeZone }) => <When at={at} timeZone={timeZone} />,
      },
    ],
    [t, actionName, fieldName],
  )
}

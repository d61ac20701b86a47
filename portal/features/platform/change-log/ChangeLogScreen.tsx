import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChangeLogEntry, changeLog, changeLogColumns, changeLogOrds } from '#contract/platform/change-log.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Option } from '../../../ui/value/option.ts'
import { ChangeLogDrawer } from './ChangeLogDrawer.tsx'
import { namedIn, Subject } from './Subject.tsx'
import { subjectPlace } from './subjectPlace.ts'
import { changeLooks, useChangeFilters } from './useChangeList.tsx'
import { useChangeWords } from './useChangeWords.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const subjectOf = (entry: ChangeLogEntry) => <Subject entry={entry} place={subjectPlace(entry)} />
const zoneOf = ({ timeZone }: ChangeLogEntry) => timeZone

/** The change log of a merchant. */
export default function ChangeLogScreen() {
  const { t } = useTranslation('change-log')
  const { id: merchantId } = useMerchant()
  const { key, open, close } = useOpenDetail('change')
  const { data: choices } = useQuery(queryOf(changeLog.getChangeLogChoices, { params: { merchantId } }))
  const filters = useChangeFilters(choices, useSubjectFilter())
  const words = useChangeWords()
  const columns = useMemo(
    () => recordColumns(changeLogColumns, changeLogOrds, changeLooks({ subject: subjectOf, zoneOf, words })),
    [words],
  )
  return (
    <>
      <ListScreen
        id="changeLog"
        title={t('title')}
        hasCursor
        exports="changeLog"
        row={changeLog.listChangeLog}
        params={{ merchantId }}
        columns={columns}
        filters={filters}
        order={order}
        onOpen={({ id }) => open(id)}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      <ChangeLogDrawer changeId={key} close={close} />
    </>
  )
}

/** The filter by one subject, set by a link from its own page or from one of its changes, shown by its name. */
function useSubjectFilter(): Option | undefined {
  const { id: merchantId } = useMerchant()
  const subjectId = oneOf(useAddressQuery(), 'subjectId')
  const query = { subjectId: subjectId ?? '', size: 1 }
  const { data } = useQuery({
    ...queryOf(changeLog.listChangeLog, { params: { merchantId }, query }),
    enabled: subjectId !== undefined,
  })
  const [last] = data?.items ?? []
  const label = (last && namedIn(last)) ?? subjectId
  return useMemo(() => (subjectId && label !== undefined ? { value: subjectId, label } : undefined), [subjectId, label])
}

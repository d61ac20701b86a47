import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLogOrds } from '#contract/platform/change-log.ts'
import { type ProviderChange, providerLog, providerLogColumns } from '#contract/platform/provider-log.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'
import { DetailDrawer, useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Change } from './Change.tsx'
import { namedIn, Subject } from './Subject.tsx'
import { providersPlace } from './subjectPlace.ts'
import { changeLooks, useChangeFilters } from './useChangeList.tsx'
import { useChangeWords } from './useChangeWords.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const subjectOf = (entry: ProviderChange) => <Subject entry={entry} place={providersPlace(entry)} />
/** Changes without a merchant have no merchant's zone. */
const timeZone = 'UTC'
const zoneOf = () => timeZone

/** Changes to records of the platform. */
export default function ProviderLogScreen() {
  const { t } = useTranslation('change-log')
  const { key, open, close } = useOpenDetail('change')
  const subjectId = oneOf(useAddressQuery(), 'subjectId')
  const { data: choices } = useQuery(queryOf(providerLog.getProviderLogChoices))
  const { data: ofSubject } = useQuery({
    ...queryOf(providerLog.listProviderLog, { query: { subjectId: subjectId ?? '', size: 1 } }),
    enabled: subjectId !== undefined,
  })
  const last = ofSubject?.items[0]
  const name = (last && namedIn(last)) ?? subjectId
  const subject = useMemo(
    () => (subjectId && name !== undefined ? { value: subjectId, label: name } : undefined),
    [subjectId, name],
  )
  const filters = useChangeFilters(choices, subject)
  const words = useChangeWords()
  const columns = useMemo(
    () => recordColumns(providerLogColumns, changeLogOrds, changeLooks({ subject: subjectOf, zoneOf, words })),
    [words],
  )
  return (
    <>
      <ListScreen
        id="providerLog"
        title={t('ofProvider')}
        exports="providerLog"
        row={providerLog.listProviderLog}
        columns={columns}
        filters={filters}
        order={order}
        onOpen={({ id }) => open(id)}
        empty={{ title: t('empty.title'), text: t('empty.ofProvider') }}
      />
      <ProviderChangeDrawer changeId={key} close={close} />
    </>
  )
}

function ProviderChangeDrawer({ changeId, close }: { changeId: string | undefined; close: () => void }) {
  const { t } = useTranslation('change-log')
  const { actionName } = useChangeWords()
  const { data, error, refetch } = useQuery({
    ...queryOf(providerLog.getProviderChange, { params: { changeId: changeId ?? '' } }),
    enabled: changeId !== undefined,
  })
  const change = changeId ? data : undefined
  return (
    <DetailDrawer
      isOpen={changeId !== undefined}
      close={close}
      title={change && actionName(change.action)}
      error={change ? undefined : error}
      retry={refetch}
    >
      {change && (
        <Change
          change={change}
          context={{ ...change, timeZone, currency: undefined, names: {} }}
          place={providersPlace(change)}
          more={[
            {
              name: t('history'),
              value: (
                <PlaceLink place={{ to: '/admin/provider-log', search: { subjectId: change.subjectId } }}>
                  {t('historyOf')}
                </PlaceLink>
              ),
            },
          ]}
        />
      )}
    </DetailDrawer>
  )
}

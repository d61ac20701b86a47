import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeLog } from '#contract/platform/change-log.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { DetailDrawer } from '#portal/ui/dialog/DetailDrawer.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Change } from './Change.tsx'
import { subjectPlace } from './subjectPlace.ts'
import { useChangeWords } from './useChangeWords.ts'

/** One change at a merchant, with a link to all changes of the same record. */
export function ChangeLogDrawer({ changeId, close }: { changeId: string | undefined; close: () => void }) {
  const { t } = useTranslation('change-log')
  const { id: merchantId } = useMerchant()
  const { actionName } = useChangeWords()
  const { data, error, refetch } = useQuery({
    ...queryOf(changeLog.getChange, { params: { merchantId, changeId: changeId ?? '' } }),
    enabled: changeId !== undefined,
  })
  const change = changeId ? data : undefined
  const history = change?.subjectId && {
    to: '/manage/audit-log',
    search: { subjectId: change.subjectId },
  }
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
          context={change}
          place={subjectPlace(change)}
          more={[
            { name: t('column.merchant'), value: change.merchantName },
            ...(history
              ? [{ name: t('history'), value: <PlaceLink place={history}>{t('historyOf')}</PlaceLink> }]
              : []),
          ]}
        />
      )}
    </DetailDrawer>
  )
}

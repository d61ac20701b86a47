import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ChangeDetails, changeLog } from '#contract/change-log.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { CopyId } from '../../ui/CopyId.tsx'
import { DetailDrawer, DrawerPart } from '../../ui/DetailDrawer.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { When } from '../../ui/When.tsx'
import classes from './ChangeLog.module.css'
import { differencesOf } from './differences.ts'
import { Subject } from './Subject.tsx'
import { useChangeValue } from './useChangeValue.ts'
import { useChangeWords } from './useChangeWords.ts'

/** One change, field by field. */
export function ChangeLogDrawer({ changeId, close }: { changeId: string | undefined; close: () => void }) {
  const { id: merchantId } = useMerchant()
  const { actionName } = useChangeWords()
  const { data, error, refetch } = useQuery({
    ...queryOf(changeLog.getChange, { params: { merchantId, changeId: changeId ?? '' } }),
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
      {change && <Change change={change} />}
    </DetailDrawer>
  )
}

/** The way to all that was changed of the same. */
function AllChanges({ change: { merchantId, subjectId } }: { change: ChangeDetails }) {
  const { t } = useTranslation('change-log')
  return (
    <PlaceLink place={{ to: '/manage/audit-log', search: { merchant: merchantId, subjectId } }}>
      {t('historyOf')}
    </PlaceLink>
  )
}

function Change({ change }: { change: ChangeDetails }) {
  const { t } = useTranslation('change-log')
  const { fieldName } = useChangeWords()
  const say = useChangeValue(change)
  const differences = differencesOf(change)
  return (
    <>
      <DrawerPart name={t('part.what')} note={change.timeZone}>
        <Facts
          facts={[
            { name: t('column.subject'), value: <Subject entry={change} /> },
            { name: t('column.who'), value: change.userName ?? t('ui:provider') },
            { name: t('column.at'), value: <When at={change.at} as="exact" timeZone={change.timeZone} /> },
            { name: t('column.merchant'), value: change.merchantName },
            {
              name: t('filter.subjectId'),
              value: <CopyId value={change.subjectId} isShort={change.subjectId.length > 12} />,
            },
            ...(change.subjectId ? [{ name: t('history'), value: <AllChanges change={change} /> }] : []),
          ]}
        />
      </DrawerPart>
      <DrawerPart name={t('part.fields')}>
        {differences.length === 0 ? (
          <p className={classes.who}>{t('noFields')}</p>
        ) : (
          <table className={classes.fields}>
            <thead>
              <tr>
                <th scope="col">{t('heading.field')}</th>
                <th scope="col">{t('heading.before')}</th>
                <th scope="col">{t('heading.after')}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, before, after, isChanged }) => (
                <tr key={field} className={isChanged ? undefined : classes.same}>
                  <th scope="row">{fieldName(field)}</th>
                  <td className={classes.value}>{say(field, before)}</td>
                  <td className={classes.value}>{say(field, after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </DrawerPart>
    </>
  )
}

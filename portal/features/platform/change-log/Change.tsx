import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ProviderChange } from '#contract/platform/provider-log.ts'
import type { Place } from '#portal/app/place.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import classes from './ChangeLog.module.css'
import { differencesOf } from './differences.ts'
import { Subject } from './Subject.tsx'
import { useChangeValue, type ValueContext } from './useChangeValue.ts'
import { useChangeWords } from './useChangeWords.ts'

interface Props {
  change: ProviderChange
  /** The format of its values. */
  context: ValueContext
  /** The link to its subject. */
  place: Place | undefined
  /** Further facts about it. */
  more: Fact[]
}

/** One change, field by field. */
export function Change({ change, context, place, more }: Props) {
  const { t } = useTranslation('change-log')
  const { fieldName } = useChangeWords()
  const say = useChangeValue(context)
  const differences = differencesOf(change)
  return (
    <>
      <DrawerPart name={t('part.what')} note={context.timeZone}>
        <Facts
          facts={[
            { name: t('column.subject'), value: <Subject entry={change} place={place} /> },
            { name: t('column.who'), value: change.userName ?? t('ui:provider') },
            { name: t('column.at'), value: <When at={change.at} as="exact" timeZone={context.timeZone} /> },
            {
              name: t('filter.subjectId'),
              value: <CopyId value={change.subjectId} isShort={change.subjectId.length > 12} />,
            },
            ...more,
          ]}
        />
      </DrawerPart>
      <DrawerPart name={t('part.fields')}>
        {differences.length === 0 ? (
          <Text my="1em" c="dimmed">
            {t('noFields')}
          </Text>
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

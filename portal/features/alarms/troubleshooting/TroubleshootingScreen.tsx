import { Flex, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type MasterAlarm, masterAlarms } from '#contract/alarms/troubleshooting.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { codesOfGuide } from '#domain/alarms/troubleshooting.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { RecordFailure } from '#portal/ui/page/Missing.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { alarmCriticityLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge, StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import tabs from '../../../ui/page/Tabs.module.css'
import { useAlarmName } from '../alarm/alarmName.ts'
import { GuideEditor } from './GuideEditor.tsx'

const isLanguage = (text: string | undefined): text is Language => (languages as readonly string[]).includes(text ?? '')

/** The troubleshooting text of one alarm code, in each language. */
export default function TroubleshootingScreen() {
  const { t } = useTranslation(['troubleshooting', 'vocabulary'])
  const format = useFormat()
  const { code } = useParams({ strict: false }) as { code: string }
  const addressLanguage = oneOf(useAddressQuery(), 'language')
  const language = isLanguage(addressLanguage) ? addressLanguage : (format.language as Language)
  const go = useGo()
  const show = (next: Language) => void go({ here: { language: next } }, { replace: true })
  const alarm = useQuery(queryOf(masterAlarms.getMasterAlarm, { params: { code } }))
  const text = useQuery(queryOf(masterAlarms.getTroubleshooting, { params: { code, language } }))
  const query = alarm.error ? alarm : text
  if (query.error && !query.data) return <RecordFailure error={query.error} retry={query.refetch} />
  if (!alarm.data) return <ScreenSkeleton />
  const names = new Intl.DisplayNames(format.locale, { type: 'language' })
  return (
    <>
      <Header alarm={alarm.data} />
      <nav className={tabs.tabs} aria-label={t('troubleshooting:languages')}>
        {languages.map((one) => (
          <UnstyledButton key={one} className={tabs.tab} aria-pressed={one === language} onClick={() => show(one)}>
            {names.of(one)}{' '}
            <span title={t(isWritten(alarm.data, one) ? 'troubleshooting:written' : 'troubleshooting:unwritten')}>
              <StatusMark
                mark={isWritten(alarm.data, one) ? 'check' : 'dash'}
                tone={isWritten(alarm.data, one) ? 'ok' : 'mute'}
              />
            </span>
          </UnstyledButton>
        ))}
      </nav>
      {text.data && <GuideEditor key={`${code} ${language}`} text={text.data} />}
    </>
  )
}

const isWritten = (alarm: MasterAlarm, language: Language) => alarm.languages.includes(language)

function Header({ alarm }: { alarm: MasterAlarm }) {
  const { t } = useTranslation(['troubleshooting', 'vocabulary'])
  const nameOf = useAlarmName()
  const { timeZone } = useMerchant()
  const { code, criticity, source, category, updatedAt, updatedBy } = alarm
  const others = codesOfGuide(code).filter((one) => one !== code)
  return (
    <ScreenHeader
      title={nameOf(code)}
      aside={<StatusBadge of={alarmCriticityLooks} value={criticity} />}
      subtitle={
        <Flex component="span" rowGap="hair" columnGap="sm" wrap="wrap" align="baseline" display="inline-flex">
          <Text span c="dimmed" ff="monospace" fz="xs" fw={400} lh="fine">
            {code}
          </Text>
          <span>
            {t(`vocabulary:alarmSource.${source}`)} · {t(`vocabulary:alarmCategory.${category}`)}
          </span>
          {updatedAt && (
            <span>
              {t('troubleshooting:changedBy', { name: updatedBy ?? '' })} <When at={updatedAt} timeZone={timeZone} />
            </span>
          )}
          {others.length > 0 && (
            <span>{t('troubleshooting:alsoFor', { count: others.length, codes: others.join(', ') })}</span>
          )}
        </Flex>
      }
    />
  )
}

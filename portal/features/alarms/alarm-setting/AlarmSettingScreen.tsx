import { Box, Button, Flex, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type AlarmSettingDetails, alarmSettings } from '#contract/alarms/alarm-setting.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant, useSwitchedMerchant } from '#portal/app/merchant.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { RecordFailure } from '#portal/ui/page/Missing.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { alarmCriticityLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AlarmSettingForm } from './AlarmSettingForm.tsx'
import { codeInAddress } from './settingPlace.ts'
import { useSettingWords } from './useSettingWords.ts'

/** How alarms of one code are handled. */
export default function AlarmSettingScreen() {
  return (
    <AddressMerchant>
      <CodeSetting />
    </AddressMerchant>
  )
}

function CodeSetting() {
  const { t } = useTranslation('alarm-setting')
  const { id: merchantId, isAll } = useMerchant()
  const code = codeInAddress((useParams({ strict: false }) as { code: string }).code)
  const { data, error, refetch } = useQuery({
    ...queryOf(alarmSettings.getAlarmSetting, { params: { merchantId, code } }),
    enabled: !isAll,
  })
  if (isAll)
    return (
      <>
        <ScreenHeader title={t('title')} />
        <EmptyState title={t('oneMerchant.title')} text={t('oneMerchant.text')} />
      </>
    )
  if (error && !data) return <RecordFailure error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return (
    <>
      <Header setting={data} />
      <Box maw={960}>
        <AlarmSettingForm key={`${merchantId} ${code} ${data.version === 0}`} setting={data} />
      </Box>
    </>
  )
}

function Header({ setting }: { setting: AlarmSettingDetails }) {
  const { t } = useTranslation('alarm-setting')
  const { id: merchantId, name: merchantName } = useMerchant()
  const isOther = useSwitchedMerchant().id !== merchantId
  const { nameOf } = useSettingWords()
  const { ask, dialog } = useConfirm()
  const remove = useCommand(alarmSettings.deleteAlarmSetting, { says: 'alarm-setting:removed' })
  const { code, criticity, ownCriticity, origin, changedAt, changedBy } = setting
  const effective = criticity ?? ownCriticity
  return (
    <>
      <ScreenHeader
        title={nameOf(code)}
        aside={effective === null ? undefined : <StatusBadge of={alarmCriticityLooks} value={effective} />}
        subtitle={
          <Flex component="span" rowGap="tight" columnGap="md" wrap="wrap">
            {isOther && <span>{merchantName}</span>}
            <Text span c="dimmed" ff="monospace" fz="fine">
              {code}
            </Text>
            <span>{t(`origin.${origin}`)}</span>
            {changedAt && origin === 'own' && (
              <span>
                {t('changedBy', { name: changedBy ?? t('ui:provider') })} <When at={changedAt} />
              </span>
            )}
          </Flex>
        }
        actions={
          origin === 'own' && (
            <Button
              variant="default"
              onClick={() =>
                ask({
                  title: t('remove.ask', { alarm: nameOf(code) }),
                  consequence: t('remove.consequence'),
                  confirm: t('remove.do'),
                  dismiss: { how: 'leave' },
                  act: () => remove.mutateAsync({ params: { merchantId, code } }),
                })
              }
            >
              {t('remove.do')}
            </Button>
          )
        }
      />
      {dialog}
    </>
  )
}

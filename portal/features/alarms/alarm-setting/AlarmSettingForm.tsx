import { Box, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type AlarmSettingDetails,
  alarmSettings,
  EditedAlarmSetting,
  type EditedAlarmSetting as Values,
} from '#contract/alarms/alarm-setting.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { MultiSelectField } from '#portal/ui/form/choices/MultiSelectField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { AddressesField } from './AddressesField.tsx'
import { CriticityField } from './CriticityField.tsx'
import { QuietHoursField } from './QuietHoursField.tsx'
import { useSettingSpeech } from './useSettingSpeech.ts'

const valuesOf = (setting: AlarmSettingDetails): Values => ({
  enabled: setting.enabled,
  criticity: setting.criticity,
  mailFrom: setting.mailFrom,
  delayMinutes: setting.delayMinutes,
  toPeople: setting.toPeople,
  addresses: setting.addresses,
  quietHours: setting.quietHours,
  blockingBreaksQuiet: setting.blockingBreaksQuiet,
  reminderHours: setting.reminderHours,
  escalationHours: setting.escalationHours,
  escalationPeople: setting.escalationPeople,
  escalationAddresses: setting.escalationAddresses,
  serviceCycles: setting.serviceCycles,
})

/** All settings of one code. */
export function AlarmSettingForm({ setting }: { setting: AlarmSettingDetails }) {
  const { t } = useTranslation('alarm-setting')
  const { id: merchantId } = useMerchant()
  const { code } = setting
  const form = useSchemaForm<Values>(EditedAlarmSetting, valuesOf(setting))
  const update = useCommand(alarmSettings.updateAlarmSetting, { isQuiet: true })
  const { data: people } = useQuery(queryOf(alarmSettings.listAlarmRecipients, { params: { merchantId } }))
  const save = async (body: Values, version: number) => {
    const after = await update.mutateAsync({ params: { merchantId, code }, body: { ...body, version } })
    toast.success('alarm-setting:saved')
    return after
  }
  const unknown = t('gone')
  const { names, say } = useSettingSpeech(people ?? [], unknown)
  const record = {
    version: setting.version,
    values: valuesOf(setting),
    read: (saved: unknown) => ({
      version: (saved as AlarmSettingDetails).version,
      values: valuesOf(saved as AlarmSettingDetails),
    }),
    names,
    say,
  }
  // A saved recipient who lost access still has a name here.
  const options = [
    ...(people ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
    ...(setting.escalationPeople ?? [])
      .filter((id) => people && !people.some((one) => one.id === id))
      .map((value) => ({ value, label: unknown })),
  ]
  const isDefault = code === anyCode
  const isAdvanced = useFeature('advancedAlarms')
  const { mailFrom, enabled } = form.getValues()
  const isSilent = mailFrom === null || !enabled
  const common = (name: keyof Values) => ({ form, name, label: names[name], description: t(`text.${name}`) })
  const addresses = (name: 'addresses' | 'escalationAddresses') => (
    <AddressesField {...common(name)} isDisabled={isSilent} />
  )
  return (
    <FormScreen form={form} record={record} save={save} isSaving={update.isPending} error={update.error}>
      {!isDefault && (
        <Card title={t('part.alarm')}>
          <SimpleGrid minColWidth={280} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
            <SwitchField {...common('enabled')} />
            <CriticityField {...common('criticity')} none="itsOwn" isDisabled={!enabled} />
            {isAdvanced && <NumberField {...common('serviceCycles')} min={1} isDisabled={!enabled} />}
          </SimpleGrid>
        </Card>
      )}
      <Card title={t('part.mail')}>
        <SimpleGrid minColWidth={280} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
          <CriticityField {...common('mailFrom')} none="never" isDisabled={!enabled} />
          <NumberField {...common('delayMinutes')} unit={t('unit.minutes')} min={0} max={1440} isDisabled={isSilent} />
          <SwitchField {...common('toPeople')} isDisabled={isSilent} />
          <Box className="whole">{addresses('addresses')}</Box>
        </SimpleGrid>
      </Card>
      <Card title={t('part.quiet')}>
        <SimpleGrid minColWidth={280} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
          <QuietHoursField {...common('quietHours')} isDisabled={isSilent} />
          <SwitchField {...common('blockingBreaksQuiet')} isDisabled={isSilent} />
        </SimpleGrid>
      </Card>
      <Card title={t('part.after')}>
        <SimpleGrid minColWidth={280} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
          <NumberField {...common('reminderHours')} unit={t('unit.hours')} min={1} max={720} isDisabled={isSilent} />
          {isAdvanced && (
            <>
              <NumberField
                {...common('escalationHours')}
                unit={t('unit.hours')}
                min={1}
                max={720}
                isDisabled={isSilent}
              />
              <Box className="whole">
                <MultiSelectField {...common('escalationPeople')} options={options} isDisabled={isSilent} />
              </Box>
              <Box className="whole">{addresses('escalationAddresses')}</Box>
            </>
          )}
        </SimpleGrid>
      </Card>
    </FormScreen>
  )
}

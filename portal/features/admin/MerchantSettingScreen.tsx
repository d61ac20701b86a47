import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { merchants, type SuperAdminSettings } from '#contract/merchant.ts'
import { queryOf, useCommand } from '../../app/api.ts'
import { useMerchants } from '../../app/merchant.tsx'
import { ScreenSkeleton } from '../../app/shell/ScreenSkeleton.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FormScreen } from '../../ui/form/FormScreen.tsx'
import { useSchemaForm } from '../../ui/form/useSchemaForm.ts'
import { ScreenHeader } from '../../ui/ScreenHeader.tsx'
import { toast } from '../../ui/toast.tsx'
import classes from './MerchantSetting.module.css'
import { SettingSwitch } from './SettingSwitch.tsx'
import { familyKeys, featureKeys, Switches, settingsOf, switchesOf } from './switches.ts'

/** What a merchant may use, as the provider decides: one switch for each function and each family of products. */
export default function MerchantSettingScreen() {
  const { t } = useTranslation('admin')
  const { merchantId } = useParams({ strict: false }) as { merchantId: string }
  const name = useMerchants().find(({ id }) => id === merchantId)?.name
  const { data, error, refetch } = useQuery(queryOf(merchants.getSuperAdminSettings, { params: { merchantId } }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return (
    <>
      <ScreenHeader title={name ?? t('setting.title')} subtitle={t('setting.subtitle')} />
      <Settings key={merchantId} merchantId={merchantId} settings={data} />
    </>
  )
}

function Settings({ merchantId, settings }: { merchantId: string; settings: SuperAdminSettings }) {
  const { t } = useTranslation('admin')
  const form = useSchemaForm<Switches>(Switches, switchesOf(settings))
  const update = useCommand(merchants.updateSuperAdminSettings, { isQuiet: true })
  const save = async (switches: Switches, version: number) => {
    const body = { ...settingsOf(switches), version }
    const after = await update.mutateAsync({ params: { merchantId }, body })
    toast.success('admin:setting.saved')
    return after
  }
  const named = [
    ...featureKeys.map((key) => [key, t(`feature.${key}.name`)]),
    ...familyKeys.map((key) => [key, t(`family.${key}.name`)]),
  ]
  const record = {
    version: settings.version,
    values: switchesOf(settings),
    read: (saved: unknown) => ({
      version: (saved as SuperAdminSettings).version,
      values: switchesOf(saved as SuperAdminSettings),
    }),
    names: Object.fromEntries(named) as Record<keyof Switches & string, string>,
    say: (_: string, isOn: unknown) => t(isOn ? 'on' : 'off'),
  }
  return (
    <div className={classes.form}>
      <FormScreen form={form} record={record} save={save} isSaving={update.isPending} error={update.error}>
        <Card title={t('setting.features')} note={t('setting.featuresText')}>
          <div className={classes.switches}>
            {featureKeys.map((key) => (
              <SettingSwitch
                key={key}
                name={t(`feature.${key}.name`)}
                text={t(`feature.${key}.text`)}
                {...form.getInputProps(key, { type: 'checkbox' })}
              />
            ))}
          </div>
        </Card>
        <Card title={t('setting.families')} note={t('setting.familiesText')}>
          <div className={classes.switches}>
            {familyKeys.map((key) => (
              <SettingSwitch
                key={key}
                name={t(`family.${key}.name`)}
                text={t(`family.${key}.text`)}
                {...form.getInputProps(key, { type: 'checkbox' })}
              />
            ))}
          </div>
        </Card>
      </FormScreen>
    </div>
  )
}

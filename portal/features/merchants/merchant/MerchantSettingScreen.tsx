import { Box, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { merchants, type SuperAdminSettings } from '#contract/merchants/merchant.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import classes from './MerchantSetting.module.css'
import { SettingSwitch } from './SettingSwitch.tsx'
import { familyKeys, featureKeys, limitKeys, Switches, settingsOf, switchesOf } from './switches.ts'

/**
 * The features and limits of a merchant, set by the provider: one switch per function and product family, and the
 * maximum numbers.
 */
export default function MerchantSettingScreen() {
  const { merchantId } = useParams({ strict: false }) as { merchantId: string }
  const { data, error, refetch } = useQuery(queryOf(merchants.getSuperAdminSettings, { params: { merchantId } }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return <Settings key={merchantId} merchantId={merchantId} settings={data} />
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
    ...limitKeys.map((key) => [key, t(`limit.${key}.name`)]),
  ]
  const record = {
    version: settings.version,
    values: switchesOf(settings),
    read: (saved: unknown) => ({
      version: (saved as SuperAdminSettings).version,
      values: switchesOf(saved as SuperAdminSettings),
    }),
    names: Object.fromEntries(named) as Record<keyof Switches & string, string>,
    say: (_: string, value: unknown) =>
      typeof value === 'boolean' ? t(value ? 'on' : 'off') : value === null ? t('limit.none') : String(value),
  }
  return (
    <Box maw={820}>
      <Text mb="part" c="dimmed">
        {t('setting.subtitle')}
      </Text>
      <FormScreen form={form} record={record} save={save} isSaving={update.isPending} error={update.error}>
        <Card title={t('setting.features')} note={t('setting.featuresText')}>
          <SimpleGrid
            minColWidth={300}
            autoFlow="auto-fit"
            spacing="xl"
            verticalSpacing={0}
            className={classes.switches}
          >
            {featureKeys.map((key) => (
              <SettingSwitch
                key={key}
                name={t(`feature.${key}.name`)}
                text={t(`feature.${key}.text`)}
                {...form.getInputProps(key, { type: 'checkbox' })}
              />
            ))}
          </SimpleGrid>
        </Card>
        <Card title={t('setting.families')} note={t('setting.familiesText')}>
          <SimpleGrid
            minColWidth={300}
            autoFlow="auto-fit"
            spacing="xl"
            verticalSpacing={0}
            className={classes.switches}
          >
            {familyKeys.map((key) => (
              <SettingSwitch
                key={key}
                name={t(`family.${key}.name`)}
                text={t(`family.${key}.text`)}
                {...form.getInputProps(key, { type: 'checkbox' })}
              />
            ))}
          </SimpleGrid>
        </Card>
        <Card title={t('setting.limits')} note={t('setting.limitsText')}>
          <SimpleGrid
            minColWidth={300}
            autoFlow="auto-fit"
            spacing="xl"
            verticalSpacing={0}
            className={classes.switches}
          >
            {limitKeys.map((key) => (
              <NumberField
                key={key}
                form={form}
                name={key}
                label={t(`limit.${key}.name`)}
                description={t(`limit.${key}.text`)}
                min={1}
              />
            ))}
          </SimpleGrid>
        </Card>
      </FormScreen>
    </Box>
  )
}

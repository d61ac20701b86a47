import { Button, Flex, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  EditedSettings,
  type MerchantSettings,
  merchantSettings,
  pricesSyncs,
  settingBounds,
} from '#contract/merchants/merchant-settings.ts'
import { defaultRechargeLimits, type RechargeLimit, rechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { type SchemaForm, useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import classes from './Settings.module.css'

/** Without the PIN, which is only replaced when a new one is typed. */
const valuesOf = ({ version: _, pin: __, ...settings }: MerchantSettings): EditedSettings => settings
type Field = keyof EditedSettings
const amounts: readonly string[] = ['maximumRefund', 'collectionTolerance', 'visitCost'] satisfies Field[]
const isRechargeLimit = (field: string) => (rechargeLimits as readonly string[]).includes(field)

/** The unit of each number, as the key of its word. */
const units = {
  peripheralEventsMinutes: 'minutes',
  scheduledAuditMinutes: 'minutes',
  noDataMinutes: 'minutes',
  clockDriftMinutes: 'minutes',
  auditExceededHours: 'hours',
  cloudCreditUnlockHours: 'hours',
  minimumSignalPercent: 'percent',
  cashBoxFullPercent: 'percent',
  priceBandPercent: 'percent',
  lowStockSelections: 'none',
} as const
type NumberName = keyof typeof units

type FieldNames = Record<Field, string>

/** The record of a form, with the names and formats of its fields for conflicts. */
function useSettingsRecord(settings: MerchantSettings) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const { currency } = useMerchant()
  const names = Object.fromEntries(
    Object.keys(EditedSettings.shape).map((name) => [name, t(`field.${name as Field}.name`)]),
  ) as FieldNames
  const say = (field: string, value: unknown): ReactNode => {
    if (value === null) return t('unset')
    if ((amounts.includes(field) || isRechargeLimit(field)) && currency)
      return <Amount minor={value as number} currency={currency} />
    if (field === 'pricesSync') return t(`pricesSync.${value as EditedSettings['pricesSync']}`)
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    return typeof value === 'number' ? format.number(value) : String(value)
  }
  return {
    version: settings.version,
    values: valuesOf(settings),
    read: (saved: unknown) => ({
      version: (saved as MerchantSettings).version,
      values: valuesOf(saved as MerchantSettings),
    }),
    names,
    say,
  }
}

export function SettingsForm({ settings }: { settings: MerchantSettings }) {
  const { id: merchantId } = useMerchant()
  const form = useSchemaForm<EditedSettings>(EditedSettings, valuesOf(settings))
  const record = useSettingsRecord(settings)
  const update = useCommand(merchantSettings.updateMerchantSettings, { isQuiet: true })
  const save = async (values: EditedSettings, version: number) => {
    const after = await update.mutateAsync({ params: { merchantId }, body: { ...values, version } })
    toast.success('settings:saved')
    return after
  }
  const card = { form, settings, names: record.names }
  return (
    <FormScreen
      form={form}
      record={record}
      save={save}
      codes={{ PinNotAvailable: 'pin' }}
      isSaving={update.isPending}
      error={update.error}
    >
      <MachinesCard {...card} />
      <MoneyCard {...card} />
      <AlarmsCard {...card} />
    </FormScreen>
  )
}

interface CardProps {
  form: SchemaForm<EditedSettings>
  settings: MerchantSettings
  names: FieldNames
}

function MachinesCard({ form, settings, names }: CardProps) {
  const { t } = useTranslation('settings')
  return (
    <Card title={t('part.machines')}>
      <SimpleGrid minColWidth={260} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
        <PinField form={form} settings={settings} />
        <UnitField form={form} settings={settings} names={names} name="peripheralEventsMinutes" />
        <UnitField form={form} settings={settings} names={names} name="scheduledAuditMinutes" />
        {settings.pricesSync && (
          <NativeSelect
            label={names.pricesSync}
            description={t('field.pricesSync.text')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={pricesSyncs.map((value) => ({ value, label: t(`pricesSync.${value}`) }))}
            {...form.getInputProps('pricesSync')}
          />
        )}
      </SimpleGrid>
    </Card>
  )
}

function MoneyCard({ form, settings, names }: CardProps) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const { currency } = useMerchant()
  const limit = (name: RechargeLimit) =>
    settings[name] !== undefined &&
    currency && (
      <MoneyField
        key={name}
        form={form}
        name={name}
        label={names[name]}
        description={t(`field.${name}.text`, {
          amount: format.money(defaultRechargeLimits(currency)[name], currency),
        })}
        currency={currency}
      />
    )
  return (
    <Card title={t('part.money')}>
      <SimpleGrid minColWidth={260} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
        {currency && (
          <MoneyField
            form={form}
            name="maximumRefund"
            label={names.maximumRefund}
            description={t('field.maximumRefund.text')}
            currency={currency}
            isRequired
          />
        )}
        {currency && (
          <MoneyField
            form={form}
            name="collectionTolerance"
            label={names.collectionTolerance}
            description={t('field.collectionTolerance.text')}
            currency={currency}
            isRequired
          />
        )}
        {currency && settings.visitCost !== undefined && (
          <MoneyField
            form={form}
            name="visitCost"
            label={names.visitCost}
            description={t('field.visitCost.text')}
            currency={currency}
          />
        )}
        <SwitchField
          form={form}
          name="countsBlind"
          label={names.countsBlind}
          description={t('field.countsBlind.text')}
        />
        <UnitField form={form} settings={settings} names={names} name="cloudCreditUnlockHours" />
        {rechargeLimits.map(limit)}
        <UnitField form={form} settings={settings} names={names} name="priceBandPercent" />
      </SimpleGrid>
    </Card>
  )
}

function AlarmsCard({ form, settings, names }: CardProps) {
  const { t } = useTranslation('settings')
  const temperature = (name: 'temperatureMinimum' | 'temperatureMaximum') => (
    <NumberField
      form={form}
      name={name}
      label={names[name]}
      description={t(`field.${name}.text`)}
      digits={1}
      step={0.5}
      unit="°C"
    />
  )
  return (
    <Card title={t('part.alarms')} note={t('part.alarmsText')}>
      <SimpleGrid minColWidth={260} spacing="far" verticalSpacing="md" style={{ alignItems: 'start' }}>
        <UnitField form={form} settings={settings} names={names} name="noDataMinutes" isRequired={false} />
        {alarmNumbers.map((name) => (
          <UnitField key={name} form={form} settings={settings} names={names} name={name} />
        ))}
        {temperature('temperatureMinimum')}
        {temperature('temperatureMaximum')}
      </SimpleGrid>
    </Card>
  )
}

const alarmNumbers = [
  'auditExceededHours',
  'minimumSignalPercent',
  'cashBoxFullPercent',
  'clockDriftMinutes',
  'lowStockSelections',
] as const

/** A number with its unit, unless the merchant lacks the setting. */
function UnitField({ form, settings, names, name, isRequired = true }: CardProps & NumberProps) {
  const { t } = useTranslation('settings')
  if (settings[name] === undefined) return null
  const [min, max] = settingBounds[name]
  const unit = units[name]
  return (
    <NumberField
      form={form}
      name={name}
      label={names[name]}
      description={t(`field.${name}.text`)}
      isRequired={isRequired}
      min={min}
      max={max}
      {...(unit !== 'none' && { unit: t(`unit.${unit}`) })}
    />
  )
}

interface NumberProps {
  name: NumberName
  isRequired?: boolean
}

/** The PIN. The server generates one; operators who need the same PIN elsewhere type it. */
function PinField({ form, settings }: { form: SchemaForm<EditedSettings>; settings: MerchantSettings }) {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  const { ask, dialog } = useConfirm()
  const regenerate = useCommand(merchantSettings.regeneratePin, { says: 'settings:pin.made' })
  const isTyped = form.getValues().pin !== undefined
  const label = t('field.pin.name')
  return (
    <Stack gap="near" className={classes.pin}>
      {isTyped ? (
        <TextField
          form={form}
          name="pin"
          label={label}
          description={t('field.pin.text')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          isRequired
          isSecret
        />
      ) : (
        <TextInput
          label={label}
          description={t('field.pin.text')}
          inputWrapperOrder={['label', 'input', 'description']}
          value={settings.pin ?? ''}
          readOnly
        />
      )}
      <Flex gap="near" wrap="wrap">
        {isTyped ? (
          <Button variant="default" onClick={() => form.setFieldValue('pin', undefined)}>
            {t('pin.keep')}
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={15} aria-hidden />}
              disabled={form.isDirty()}
              onClick={() =>
                ask({
                  title: t('pin.ask'),
                  consequence: t('pin.consequence'),
                  confirm: t('pin.make'),
                  dismiss: { how: 'leave' },
                  act: () => regenerate.mutateAsync({ params: { merchantId }, body: { version: settings.version } }),
                })
              }
            >
              {t('pin.make')}
            </Button>
            <Button variant="subtle" onClick={() => form.setFieldValue('pin', '')}>
              {t('pin.type')}
            </Button>
          </>
        )}
      </Flex>
      {dialog}
    </Stack>
  )
}

import { Box } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { demoDays, type MerchantDetails } from '#contract/merchants/merchant-edit.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { useCountryOptions } from '#portal/ui/form/choices/countryNames.ts'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { AddressFields } from '#portal/ui/form/fields/AddressFields.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { VatField } from '#portal/ui/form/fields/VatField.tsx'
import { type SchemaForm, useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { MerchantSchema, type MerchantValues, valuesOf } from './merchantValues.ts'
import { Services } from './Services.tsx'
import { suggestionsFor } from './suggestions.ts'
import { useMerchantWords } from './useMerchantWords.ts'

interface Props {
  /** The edited merchant; without it a new merchant is created, and its country suggests the other values. */
  merchant?: MerchantDetails
  initial: MerchantValues
  save: (values: MerchantValues, version: number) => Promise<MerchantDetails>
  isSaving: boolean
  error: unknown
}

/** The provider's settings of a merchant. */
export function MerchantForm({ merchant, initial, save, isSaving, error }: Props) {
  const { t } = useTranslation('merchant')
  const { names, say } = useMerchantWords()
  const form = useSchemaForm<MerchantValues>(MerchantSchema, initial)
  const record = merchant && {
    version: merchant.version,
    values: valuesOf(merchant),
    read: (saved: unknown) => ({
      version: (saved as MerchantDetails).version,
      values: valuesOf(saved as MerchantDetails),
    }),
    names,
    say,
  }
  return (
    <FormScreen
      form={form}
      {...(record && { record })}
      save={save}
      isSaving={isSaving}
      error={error}
      codes={{ MerchantNameTaken: 'name', CurrencyInUse: 'currency', TimeZoneInUse: 'timeZone' }}
      {...(!merchant && { saveName: t('create') })}
    >
      <Card title={t('section.general')}>
        <General form={form} isNew={!merchant} />
      </Card>
      <Card title={t('section.demo')}>
        <Demo form={form} />
      </Card>
      <Card title={t('section.company')}>
        <Columns of="repeat(2, minmax(0, 1fr))" from="xs" gap="far" rowGap="md" align="start" pt="tight">
          <TextField form={form} name="legalName" label={names.legalName} maxLength={200} autoComplete="organization" />
          <VatField form={form} name="vatCode" label={names.vatCode} country={String(form.getValues().legalCountry)} />
          <Box className="whole">
            <AddressFields
              form={form}
              names={{
                street: 'legalStreet',
                postalCode: 'legalPostalCode',
                city: 'legalCity',
                province: 'legalProvince',
                country: 'legalCountry',
              }}
            />
          </Box>
          <TextField form={form} name="contactName" label={names.contactName} maxLength={200} autoComplete="off" />
          <TextField
            form={form}
            name="contactEmail"
            label={names.contactEmail}
            maxLength={254}
            inputMode="email"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="sapCode"
            label={names.sapCode}
            description={t('text.sapCode')}
            maxLength={40}
            autoComplete="off"
          />
        </Columns>
      </Card>
      <Card title={t('section.warranty')} note={t('text.warranty')}>
        <Columns of="repeat(2, minmax(0, 1fr))" from="xs" gap="far" rowGap="md" align="start" pt="tight">
          {(['defaultWarrantyMonths', 'extendedWarrantyMonths'] as const).map((name) => (
            <NumberField
              key={name}
              form={form}
              name={name}
              label={names[name]}
              unit={t('months')}
              min={0}
              max={120}
              isRequired
            />
          ))}
        </Columns>
      </Card>
      <Card title={t('section.services')} note={t('text.services')}>
        <Services form={form} />
      </Card>
    </FormScreen>
  )
}

function General({ form, isNew }: { form: SchemaForm<MerchantValues>; isNew: boolean }) {
  const { t } = useTranslation(['merchant', 'shell'])
  const { names } = useMerchantWords()
  const countries = useCountryOptions()
  const zones = useMemo(() => {
    const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), String(form.getValues().timeZone)])
    return [...names].filter(Boolean).map((value) => ({ value, label: value.replaceAll('_', ' ') }))
    // oxlint-disable-next-line react/exhaustive-deps -- what the form was opened with
  }, [])
  /** A country suggests values for the fields that are still empty. */
  const choose = (country: string) => {
    if (!isNew || country === '') return country
    const { language, timeZone, currency, legalCountry } = form.getValues()
    const likely = suggestionsFor(country)
    form.setValues({
      language: language || likely.language,
      timeZone: timeZone || likely.timeZone,
      currency: currency || likely.currency,
      legalCountry: legalCountry || country,
    })
    return country
  }
  return (
    <Columns of="repeat(2, minmax(0, 1fr))" from="xs" gap="far" rowGap="md" align="start" pt="tight">
      <Box className="whole">
        <TextField form={form} name="name" label={names.name} isRequired maxLength={200} autoComplete="off" />
      </Box>
      <SelectField
        form={form}
        name="country"
        label={names.country}
        isRequired
        isSearchable
        options={countries}
        keep={choose}
      />
      <SelectField
        form={form}
        name="language"
        label={names.language}
        description={t('merchant:text.language')}
        isRequired
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      <SelectField
        form={form}
        name="currency"
        label={names.currency}
        description={t('merchant:text.currency')}
        isRequired
        options={Object.keys(currencies).map((value) => ({ value, label: value }))}
      />
      <SelectField
        form={form}
        name="timeZone"
        label={names.timeZone}
        description={t('merchant:text.timeZone')}
        isRequired
        isSearchable
        options={zones}
      />
    </Columns>
  )
}

function Demo({ form }: { form: SchemaForm<MerchantValues> }) {
  const { t } = useTranslation('merchant')
  const { names } = useMerchantWords()
  const { isDemo, demoExpiresOn, timeZone } = form.getValues()
  const start = () => {
    if (isDemo || demoExpiresOn) return
    form.setFieldValue('demoExpiresOn', addDays(dayIn(new Date(), timeZone || 'UTC'), demoDays))
  }
  return (
    <Columns of="repeat(2, minmax(0, 1fr))" from="xs" gap="far" rowGap="md" align="start" pt="tight">
      {/* Before the switch's own handler: a new demo gets its usual end date at once. */}
      <div onChangeCapture={start}>
        <SwitchField form={form} name="isDemo" label={names.isDemo} description={t('text.isDemo')} />
      </div>
      {isDemo && (
        <DateField
          form={form}
          name="demoExpiresOn"
          label={names.demoExpiresOn}
          description={t('text.demoExpiresOn')}
          isRequired
        />
      )}
    </Columns>
  )
}

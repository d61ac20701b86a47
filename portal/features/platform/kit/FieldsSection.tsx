import { Button, Flex } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ruleNames } from '#contract/frame/broken.ts'
import { fileRules } from '#contract/frame/file-rules.ts'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { EndpointSelect } from '#portal/ui/form/choices/EndpointSelect.tsx'
import { InstantField } from '#portal/ui/form/choices/InstantField.tsx'
import { MultiSelectField } from '#portal/ui/form/choices/MultiSelectField.tsx'
import { PeriodField } from '#portal/ui/form/choices/PeriodField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { AddressFields } from '#portal/ui/form/fields/AddressFields.tsx'
import { FileField } from '#portal/ui/form/fields/FileField.tsx'
import { ImageField } from '#portal/ui/form/fields/ImageField.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { PasswordField } from '#portal/ui/form/fields/PasswordField.tsx'
import { PhoneField } from '#portal/ui/form/fields/PhoneField.tsx'
import { RichTextField } from '#portal/ui/form/fields/RichTextField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { UrlField } from '#portal/ui/form/fields/UrlField.tsx'
import { VatField } from '#portal/ui/form/fields/VatField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { emptyValues, filledValues, KitForm, type KitValues, wrongValues } from './kitForm.ts'
import { Part, Table } from './Part.tsx'

const states = ['empty', 'filled', 'error', 'disabled', 'readOnly', 'loading'] as const
type State = (typeof states)[number]

const valuesOf: Record<State, KitValues> = {
  empty: emptyValues,
  filled: filledValues,
  error: wrongValues,
  disabled: filledValues,
  readOnly: filledValues,
  loading: emptyValues,
}

/** Every field of a form in all its states, and the sentence of every rule. */
export function FieldsSection() {
  const { t } = useTranslation(['kit', 'form'])
  const [state, setState] = useState<State>('empty')
  return (
    <>
      <Segments
        name={t('kit:field.state')}
        value={state}
        choose={setState}
        options={states.map((value) => ({ value, label: t(`kit:field.${value}`) }))}
      />
      <Fields key={state} state={state} />
      <Part caption={t('kit:field.rules')}>
        <Table
          caption={t('kit:field.rules')}
          heads={[{ name: t('kit:field.rule') }, { name: t('kit:field.sentence') }]}
          rows={ruleNames.map((name) => ({ key: name, cells: [name, t(`form:rule.${name}`)] }))}
        />
      </Part>
    </>
  )
}

function Fields({ state }: { state: State }) {
  const { t } = useTranslation(['kit', 'shell'])
  const merchant = useMerchant()
  const form = useSchemaForm<KitValues>(KitForm, valuesOf[state])
  const [isChecked, setChecked] = useState(false)
  if (state === 'error' && !isChecked) {
    setChecked(true)
    queueMicrotask(() => form.validate())
  }
  const common = {
    form,
    isDisabled: state === 'disabled',
    isReadOnly: state === 'readOnly',
    isLoading: state === 'loading',
    isRequired: true,
  }
  return (
    <Flex
      direction="column"
      noValidate
      component="form"
      gap="md"
      maw={640}
      mt="md"
      mb="far"
      onSubmit={(event) => {
        event.preventDefault()
        form.validate()
      }}
    >
      <TextField {...common} name="text" label={t('kit:field.text')} maxLength={200} />
      <TextField {...common} name="longText" label={t('kit:field.longText')} rows={3} isRequired={false} />
      <NumberField {...common} name="number" label={t('kit:field.number')} unit="%" digits={1} min={0} max={100} />
      <MoneyField {...common} name="money" label={t('kit:field.money')} currency={merchant.currency ?? 'EUR'} />
      <DateField {...common} name="day" label={t('kit:field.day')} />
      <PeriodField {...common} name="period" label={t('kit:field.period')} />
      <InstantField {...common} name="moment" label={t('kit:field.moment')} />
      <EndpointSelect
        {...common}
        name="machine"
        label={t('kit:field.machine')}
        row={machines.listMachines}
        input={{ params: { merchantId: merchant.id } }}
        optionOf={({ id, name }: MachineRow) => ({ value: id, label: name })}
        initialOption={state === 'empty' ? undefined : { value: filledValues.machine ?? '', label: 'Roma Termini' }}
      />
      <MultiSelectField
        {...common}
        name="languages"
        label={t('kit:field.languages')}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      <SwitchField {...common} name="receives" label={t('kit:field.receives')} />
      <FileField {...common} name="file" label={t('kit:field.file')} rule={fileRules.ingredients} />
      <ImageField {...common} name="image" label={t('kit:field.image')} rule={fileRules.logo} />
      <RichTextField {...common} name="content" label={t('kit:field.content')} />
      <AddressFields
        {...common}
        names={{ street: 'address', postalCode: 'zipCode', city: 'city', province: 'province', country: 'country' }}
      />
      <VatField
        {...common}
        name="vatCode"
        label={t('kit:field.vat')}
        country={form.getValues().country || merchant.country}
      />
      <PhoneField {...common} name="phone" label={t('kit:field.phone')} />
      <UrlField {...common} name="website" label={t('kit:field.website')} />
      <PasswordField {...common} name="password" repeatName="repeated" label={t('kit:field.password')} />
      <div>
        <Button type="submit">{t('kit:field.check')}</Button>
      </div>
    </Flex>
  )
}

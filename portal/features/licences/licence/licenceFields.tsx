import { useTranslation } from 'react-i18next'
import { mostNewLicences } from '#contract/licences/licence.ts'
import { machines } from '#contract/machines/machine.ts'
import {
  isDemoType,
  type LicenceType,
  licenceFeatures,
  licenceTypes,
  maintenanceTypes,
  operationModes,
} from '#contract/vocabulary/licence.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { FindIds } from '#portal/ui/form/choices/FindSelect.tsx'
import { MultiSelectField } from '#portal/ui/form/choices/MultiSelectField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import {
  type Cards,
  type DrawField,
  email,
  longText,
  type RecordField,
  text,
} from '#portal/ui/form/record/RecordFields.tsx'

function MachinesField({ values: _, merchantId, isNullable: __, ...field }: RecordField) {
  const { t } = useTranslation('licence')
  const { value, set, leave, input } = useField<string[], Record<string, unknown>>(field)
  return (
    <FindIds
      key={merchantId}
      {...input}
      row={machines.listMachines}
      by="ids"
      labelOf={({ name, serial }) => `${name} · ${serial}`}
      merchantId={merchantId}
      most={mostNewLicences}
      description={t('hint.posIds')}
      disabled={merchantId === undefined}
      ids={value}
      choose={set}
      onBlur={leave}
    />
  )
}

/** A select over a vocabulary. */
const word = (table: string, codes: readonly string[]): DrawField => {
  function WordField({ values: _, merchantId: __, isNullable: ___, ...field }: RecordField) {
    const { t } = useTranslation('vocabulary')
    return <SelectField {...field} options={codes.map((value) => ({ value, label: t(`${table}.${value}`) }))} />
  }
  return (field) => <WordField {...field} />
}

function TypeField({ values: _, merchantId: __, isNullable: ___, ...field }: RecordField) {
  const { t } = useTranslation('vocabulary')
  const { families } = useMerchant()
  const possible = licenceTypes.filter(
    (type) => type === 'none' || families.has('cashlogy') || type === field.form.getValues().type,
  )
  return <SelectField {...field} options={possible.map((value) => ({ value, label: t(`licenceType.${value}`) }))} />
}

/** The feature of demos follows from the type. */
function FeaturesField({ values, merchantId: _, isNullable: __, ...field }: RecordField) {
  const { t } = useTranslation('vocabulary')
  const isDemo = isDemoType(values.type as LicenceType)
  const options = licenceFeatures
    .filter((one) => one !== 'Demo' || isDemo)
    .map((value) => ({ value, label: t(`licenceFeature.${value}`) }))
  return <MultiSelectField {...field} options={options} />
}

function LanguageField({ values: _, merchantId: __, isNullable: ___, ...field }: RecordField) {
  return <SelectField {...field} options={languages.map((value) => ({ value, label: languageNames[value] }))} />
}

const day: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => <DateField {...field} />

function EndField({ values, merchantId: _, isNullable: __, ...field }: RecordField) {
  const { t } = useTranslation('licence')
  return <DateField {...field} isRequired={isDemoType(values.type as LicenceType)} description={t('hint.expiresOn')} />
}

/** The cards that a new licence and a licence have in common. */
export const licenceCards = {
  client: {
    organization: text,
    establishmentName: text,
    contactName: text,
    clientEmail: email,
    language: (field) => <LanguageField {...field} />,
  },
  terms: {
    type: (field) => <TypeField {...field} />,
    features: (field) => <FeaturesField {...field} />,
    operationMode: word('operationMode', operationModes),
    maintenanceType: word('maintenanceType', maintenanceTypes),
    installedOn: day,
    expiresOn: (field) => <EndField {...field} />,
    note: longText,
  },
} as const satisfies Cards

export const machineCards = {
  machines: { posIds: (field) => <MachinesField {...field} /> },
} as const satisfies Cards

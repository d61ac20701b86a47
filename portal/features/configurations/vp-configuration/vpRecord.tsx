import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  NewVpConfiguration,
  type VpConfiguration,
  VpConfigurationFields,
  vpConfigurations,
} from '#contract/configurations/vp-configuration.ts'
import type { Json, JsonObject } from '#contract/configurations/vp-document.ts'
import { deviceTypeNames, vpDeviceTypes } from '#contract/vocabulary/device.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { vpChangesBetween, withVpValue } from '#domain/configurations/vp-document.ts'
import { mergeEdits } from '#domain/frame/editing.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { idOf } from '#portal/app/search.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { type DrawField, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { vpEditor } from './VpEditor.tsx'

const placeOf = ({ id }: VpConfiguration) => ({
  to: '/devices/vp/configurations/$vpConfigurationId',
  params: { vpConfigurationId: id },
})
const shared = {
  words: 'vp-configuration',
  param: 'vpConfigurationId',
  get: vpConfigurations.getVpConfiguration,
  create: vpConfigurations.createVpConfiguration,
  update: vpConfigurations.updateVpConfiguration,
  placeOf,
  list: { to: '/devices/vp/configurations' },
}

const models = vpDeviceTypes.map((value) => ({ value, label: deviceTypeNames[value] }))
const model: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <SelectField {...field} options={models} />
)

const { Create: New } = recordScreens<VpConfiguration>({
  ...shared,
  schema: NewVpConfiguration.pick({ name: true, deviceType: true }),
  cards: { what: { name: text, deviceType: model } },
})
// A copy has the document of its original.
const { Create: Copy } = recordScreens<VpConfiguration>({
  ...shared,
  schema: NewVpConfiguration.required(),
  cards: { what: { name: text } },
})

/** A new configuration with the defaults of its model, or a copy. */
export function Create() {
  const copied = idOf(useAddressQuery(), 'copy')
  return copied ? <Copied key={copied} vpConfigurationId={copied} /> : <New />
}

const longestName = 120

function Copied({ vpConfigurationId }: { vpConfigurationId: string }) {
  const { t } = useTranslation('vp-configuration')
  const params = { merchantId: allMerchants, vpConfigurationId }
  const answer = useQuery(queryOf(vpConfigurations.getVpConfiguration, { params }))
  const { data } = answer
  if (answer.error && !data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!data) return <ScreenSkeleton />
  const { deviceType, document, currentSchemaVersion: schemaVersion } = data
  const name = t('copy.name', { name: data.name }).slice(0, longestName)
  return <Copy initial={{ name, deviceType, schemaVersion, document }} merchantId={data.merchantId} />
}

/** Parameters in conflict are fields of their own, beside the record's fields. */
const parameterPrefix = 'document.'
type Flat = Record<string, unknown>

/** The values of a form with each changed parameter as a field. */
function flatOf(base: JsonObject, { document, ...fields }: Flat): Flat {
  const changes = vpChangesBetween(base, document as JsonObject)
  return { ...fields, ...Object.fromEntries(changes.map(({ path, after }) => [`${parameterPrefix}${path}`, after])) }
}

/** Whether two documents have lists of the same lengths, so that a path means the same in both. */
const isOneShape = (one: JsonObject, other: JsonObject) =>
  vpChangesBetween(one, other).every(({ before, after }) => before !== undefined && after !== undefined)

/** Two users' changes are merged parameter by parameter, or as a whole after entries were added or removed. */
function merge(base: Flat, draft: Flat, latest: Flat) {
  const document = base.document as JsonObject
  const draftDocument = draft.document as JsonObject
  const latestDocument = latest.document as JsonObject
  if (!isOneShape(document, draftDocument) || !isOneShape(document, latestDocument))
    return mergeEdits(base, draft, latest)
  const flat = [flatOf(document, draft), flatOf(document, latest)] as const
  const names = new Set(flat.flatMap((one) => Object.keys(one)).filter((name) => name.startsWith(parameterPrefix)))
  const { document: _, ...fields } = base
  const values = new Map(vpChangesBetween({}, document).map(({ path, after }) => [path, after]))
  const before = { ...fields, ...Object.fromEntries([...names].map((name) => [name, values.get(name.slice(9))])) }
  const { merged, ...rest } = mergeEdits<Flat>(before, { ...before, ...flat[0] }, { ...before, ...flat[1] })
  return { merged: takeAll({ ...draft, ...ownOf(merged) }, merged), ...rest }
}

const ownOf = (flat: Flat) =>
  Object.fromEntries(Object.entries(flat).filter(([name]) => !name.startsWith(parameterPrefix)))
const takeAll = (values: Flat, flat: Flat): Flat => ({
  ...values,
  document: Object.entries(flat)
    .filter(([name, value]) => name.startsWith(parameterPrefix) && value !== undefined)
    .reduce(
      (document, [name, value]) => withVpValue(document, name.slice(parameterPrefix.length), value as Json),
      values.document as JsonObject,
    ),
})

const Part = ({ value }: { value: unknown }) => (Array.isArray(value) ? value.join(', ') : String(value ?? '–'))

/** The editor of a configuration. */
export const { Details } = recordScreens<VpConfiguration>({
  ...shared,
  schema: VpConfigurationFields,
  isWide: true,
  cards: { what: { name: text }, parameters: { document: vpEditor } },
  valueText: (field, _value, { t }) => (field === 'document' ? t('vp-configuration:editor.whole') : undefined),
  merging: {
    merge,
    take: (values, conflicts) => {
      const flat = Object.fromEntries(conflicts.map(({ field, theirs: latest }) => [field, latest]))
      return takeAll({ ...values, ...ownOf(flat) }, flat)
    },
    nameOf: (field, t) =>
      field.startsWith(parameterPrefix)
        ? t(`vp-parameter:parameter.${field.split('.').at(-1)}`, { defaultValue: field })
        : undefined,
    Part,
  },
})

import type { TFunction } from 'i18next'
import { type ComponentType, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useCommand } from '#portal/app/api.ts'
import { useAddressQuery, useGo, useLeave } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { RecordMerchant, useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { oneOf, type Search } from '#portal/app/search.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import type { Place } from '../../../app/place.ts'
import { toast } from '../../../app/toast/toast.tsx'
import { ScreenHeader } from '../../page/ScreenHeader.tsx'
import { useRecord } from '../../page/useRecord.ts'
import { FormScreen } from '../FormScreen.tsx'
import { MerchantChoice } from '../MerchantChoice.tsx'
import type { Merging } from '../useEditing.ts'
import { type SchemaForm, useSchemaForm } from '../useSchemaForm.ts'
import classes from './Record.module.css'
import { type Cards, RecordFields } from './RecordFields.tsx'
import { bodyOf, formSchema, type RecordValues, valuesOf } from './recordValues.ts'

/** A record from the API. */
export interface SavedRecord {
  id: string
  /** Absent for records of the whole platform. */
  merchantId?: string
  version: number
  name?: string
  /** The name of a record that has no other. */
  code?: string | number
  /** The number of a document, which is its name. */
  reference?: string
}

/** Words, formats and the currency of a record's merchant. */
export interface ValueSay {
  t: TFunction
  format: ReturnType<typeof useFormat>
  currency: Currency | undefined
}

/** A record that users create and edit: its schema, its cards of fields, its words, its endpoints. */
export interface RecordForm<Saved extends SavedRecord> {
  /** The language file of its words: `create`, `created`, `saved`, `card.…`, `field.…`. */
  words: string
  schema: z.ZodObject
  cards: Cards
  /** The path name of its id. */
  param: string
  create: AnyEndpoint
  update: AnyEndpoint
  get: AnyEndpoint
  placeOf: (saved: Saved) => Place
  list: Place
  /** Values of a new record, such as its merchant's country. */
  newIn?: (merchant: { country: string; language: string }) => RecordValues
  /** Values of a new record that the address names, such as `?code=`. */
  fromAddress?: (query: Search) => RecordValues
  /** Runs when a record is created, before its page opens. */
  onCreated?: (saved: Saved, query: Search) => Promise<unknown>
  /** The words of a field with vocabulary codes, by value. */
  valueWords?: Readonly<Record<string, (value: unknown) => string>>
  /** Formats values that are not plain text, for users with simultaneous changes; never called with null. */
  valueText?: (field: string, value: unknown, say: ValueSay) => string | undefined
  /** A record of the whole platform: no merchant is chosen. */
  isOfPlatform?: boolean
  /** A form in full page width. */
  isWide?: boolean
  /** Merges two users' changes of a field with parts. */
  merging?: Pick<Merging<RecordValues>, 'merge' | 'take'> & {
    /** The label of a part, in the noun's words; undefined for a field. */
    nameOf: (field: string, t: TFunction) => string | undefined
    Part: ComponentType<{ value: unknown; merchantId: string }>
  }
}

/** A new record with initial values, such as a copy. */
export interface NewRecordStart {
  initial?: RecordValues
  /** Its merchant, under all merchants. */
  merchantId?: string
}

const nameOf = ({ name, code, reference }: SavedRecord) => ({ name: name ?? code ?? reference })

/** Creates a record for the chosen merchant; under all merchants a field selects it. */
function RecordCreate<Saved extends SavedRecord>({
  record,
  initial,
  merchantId,
}: { record: RecordForm<Saved> } & NewRecordStart) {
  const { schema, words } = record
  const { t } = useTranslation(words)
  const go = useGo()
  const leave = useLeave()
  const merchant = useMerchant()
  const merchants = useMerchants()
  const query = useAddressQuery()
  const [merchantChoice, choose] = useState(merchantId ?? oneOf(query, 'of') ?? '')
  const rule = useMemo(() => formSchema(schema), [schema])
  const first = { ...record.newIn?.(merchant), ...record.fromAddress?.(query), ...initial }
  const form: SchemaForm<RecordValues> = useSchemaForm(rule, valuesOf(schema, first))
  // Initial values are not saved yet: they count as changes of an empty form.
  useEffect(() => {
    if (initial) form.resetDirty(valuesOf(schema, record.newIn?.(merchant)))
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form starts
  }, [])
  const owner = merchant.isAll ? merchantChoice || undefined : merchant.id
  const create = useCommand(record.create, { isQuiet: true })
  const save = async (values: RecordValues) => {
    // Without a choice the placeholder for all merchants is sent: the error says that one must be selected.
    const params = { merchantId: (merchant.isAll && merchantChoice) || merchant.id }
    const made = (await create.mutateAsync({ params, body: bodyOf(schema, values) })) as Saved
    await record.onCreated?.(made, query)
    toast.success(`${words}:created`, nameOf(made))
    await leave(record.placeOf(made))
  }
  const chooseMerchant = (id: string) => {
    choose(id)
    const facts = merchants.find((one) => one.id === id)
    if (facts && record.newIn && !form.isDirty()) form.setValues(record.newIn(facts))
  }
  return (
    <>
      <ScreenHeader title={t('create')} />
      <div className={record.isWide ? undefined : classes.form}>
        <FormScreen
          form={form}
          isWide={record.isWide}
          save={save}
          isSaving={create.isPending}
          error={create.error}
          cancel={() => void go(record.list)}
        >
          {!record.isOfPlatform && <MerchantChoice value={merchantChoice} choose={chooseMerchant} />}
          <RecordMerchant id={merchantChoice || undefined}>
            <RecordFields form={form} schema={schema} cards={record.cards} words={words} merchantId={owner} />
          </RecordMerchant>
        </FormScreen>
      </div>
    </>
  )
}

/** Edits a record, or only shows it to users without the permission; give it the record's id as `key`. */
function RecordEdit<Saved extends SavedRecord>({ record, saved }: { record: RecordForm<Saved>; saved: Saved }) {
  const { schema, words, param, valueWords, valueText } = record
  const { t } = useTranslation(words)
  const { t: wordOf } = useTranslation('vocabulary')
  const rule = useMemo(() => formSchema(schema), [schema])
  const form: SchemaForm<RecordValues> = useSchemaForm(rule, valuesOf(schema, saved))
  const format = useFormat()
  const { currency } = useMerchant()
  const merging = record.merging && { ...record.merging, nameOf: (field: string) => record.merging?.nameOf(field, t) }
  const say = (field: string, value: unknown) => {
    if (record.merging && merging?.nameOf(field) !== undefined)
      return <record.merging.Part value={value} merchantId={saved.merchantId ?? ''} />
    const key = value ? valueWords?.[field]?.(value) : undefined
    if (key) return wordOf(key)
    return value === null ? undefined : valueText?.(field, value, { t: wordOf, format, currency })
  }
  const update = useCommand(record.update, { isQuiet: true })
  const isReadOnly = !useMay(record.update)
  const editedOf = (one: Saved) => ({ version: one.version, values: valuesOf(schema, one) })
  const save = async (values: RecordValues, version: number) => {
    const params = { merchantId: saved.merchantId, [param]: saved.id }
    const body = { ...bodyOf(schema, values), version }
    const answer = (await update.mutateAsync({ params, body })) as Saved
    toast.success(`${words}:saved`, nameOf(answer))
    return answer
  }
  const edited = {
    ...editedOf(saved),
    read: (answer: unknown) => editedOf(answer as Saved),
    say,
    merging,
    names: Object.fromEntries(Object.keys(schema.shape).map((field) => [field, t(`field.${field}`)])),
  }
  return (
    <div className={record.isWide ? undefined : classes.form}>
      <FormScreen
        form={form}
        isWide={record.isWide}
        isReadOnly={isReadOnly}
        record={edited}
        save={save}
        isSaving={update.isPending}
        error={update.error}
      >
        <RecordFields form={form} schema={schema} cards={record.cards} words={words} merchantId={saved.merchantId} />
      </FormScreen>
    </div>
  )
}

/** The screens of a record: its create screen and its edit tab. */
export const recordScreens = <Saved extends SavedRecord>(record: RecordForm<Saved>) => ({
  Create: (started: NewRecordStart) => <RecordCreate record={record} {...started} />,
  Details: function Details() {
    const saved = useRecord(record.get, record.param).data as Saved | undefined
    return saved ? <RecordEdit key={saved.id} record={record} saved={saved} /> : null
  },
})

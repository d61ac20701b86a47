import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { useCommand } from '#portal/app/api.ts'
import { useGo, useLeave } from '#portal/app/go.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { toast } from '../../dialog/toast.tsx'
import type { Place } from '../../list/types.ts'
import { ScreenHeader } from '../../page/ScreenHeader.tsx'
import { useRecord } from '../../page/useRecord.ts'
import { FormScreen } from '../FormScreen.tsx'
import { MerchantChoice } from '../MerchantChoice.tsx'
import { type SchemaForm, useSchemaForm } from '../useSchemaForm.ts'
import classes from './Record.module.css'
import { type Cards, RecordFields } from './RecordFields.tsx'
import { bodyOf, formSchema, type RecordValues, valuesOf } from './recordValues.ts'

/** A record as the API answers it. */
export interface SavedRecord {
  id: string
  merchantId: string
  version: number
}

/** A record that users create and edit: its schema, its cards of fields, its words, its rows. */
export interface RecordForm<Saved extends SavedRecord> {
  /** The file of its words: `create`, `created`, `saved`, `card.…`, `field.…`. */
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
  newIn?: (merchant: { country: string }) => RecordValues
  /** The words of a field whose values are codes of the vocabulary, by value. */
  valueWords?: Readonly<Record<string, (value: unknown) => string>>
}

const nameOf = (values: RecordValues) => ({ name: values.name ?? values.code })

/** Creates a record for the chosen merchant; under all merchants a field selects it. */
function RecordCreate<Saved extends SavedRecord>({ record }: { record: RecordForm<Saved> }) {
  const { schema, words } = record
  const { t } = useTranslation(words)
  const go = useGo()
  const leave = useLeave()
  const merchant = useMerchant()
  const merchants = useMerchants()
  const [chosen, choose] = useState('')
  const rule = useMemo(() => formSchema(schema), [schema])
  const form: SchemaForm<RecordValues> = useSchemaForm(rule, valuesOf(schema, record.newIn?.(merchant)))
  const create = useCommand(record.create, { isQuiet: true })
  const save = async (values: RecordValues) => {
    // Without a choice the placeholder of all merchants is sent: the answer says that one must be selected.
    const params = { merchantId: (merchant.isAll && chosen) || merchant.id }
    const made = (await create.mutateAsync({ params, body: bodyOf(schema, values) } as never)) as Saved
    toast.success(`${words}:created`, nameOf(made as unknown as RecordValues))
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
      <div className={classes.form}>
        <FormScreen
          form={form}
          save={save}
          isSaving={create.isPending}
          error={create.error}
          cancel={() => void go(record.list)}
        >
          <MerchantChoice value={chosen} choose={chooseMerchant} />
          <RecordFields form={form} schema={schema} cards={record.cards} words={words} />
        </FormScreen>
      </div>
    </>
  )
}

/** Edits a record; give it the record's id as `key`. */
function RecordEdit<Saved extends SavedRecord>({ record, saved }: { record: RecordForm<Saved>; saved: Saved }) {
  const { schema, words, param, valueWords } = record
  const { t } = useTranslation(words)
  const { t: wordOf } = useTranslation('vocabulary')
  const rule = useMemo(() => formSchema(schema), [schema])
  const form: SchemaForm<RecordValues> = useSchemaForm(rule, valuesOf(schema, saved))
  const say = (field: string, value: unknown) => {
    const key = value ? valueWords?.[field]?.(value) : undefined
    return key && wordOf(key)
  }
  const update = useCommand(record.update, { isQuiet: true })
  const editedOf = (one: Saved) => ({ version: one.version, values: valuesOf(schema, one) })
  const save = async (values: RecordValues, version: number) => {
    const params = { merchantId: saved.merchantId, [param]: saved.id }
    const body = { ...bodyOf(schema, values), version }
    const answer = (await update.mutateAsync({ params, body } as never)) as Saved
    toast.success(`${words}:saved`, nameOf(answer as unknown as RecordValues))
    return answer
  }
  const edited = {
    ...editedOf(saved),
    read: (answer: unknown) => editedOf(answer as Saved),
    say,
    names: Object.fromEntries(Object.keys(schema.shape).map((field) => [field, t(`field.${field}`)])),
  }
  return (
    <div className={classes.form}>
      <FormScreen form={form} record={edited} save={save} isSaving={update.isPending} error={update.error}>
        <RecordFields form={form} schema={schema} cards={record.cards} words={words} />
      </FormScreen>
    </div>
  )
}

/** The screens of a record: its create screen and its edit tab. */
export const recordScreens = <Saved extends SavedRecord>(record: RecordForm<Saved>) => ({
  Create: () => <RecordCreate record={record} />,
  Details: function Details() {
    const saved = useRecord(record.get, record.param).data as Saved | undefined
    return saved ? <RecordEdit key={saved.id} record={record} saved={saved} /> : null
  },
})

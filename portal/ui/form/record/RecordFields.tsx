import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { Card } from '../../page/Card.tsx'
import { SwitchField } from '../choices/SwitchField.tsx'
import { TextField } from '../fields/TextField.tsx'
import type { FieldProps } from '../fields/useField.tsx'
import type { SchemaForm } from '../useSchemaForm.ts'
import classes from './Record.module.css'
import { fieldRule, type RecordValues } from './recordValues.ts'

/** Props of a field's input; its rule comes from the schema. */
export interface RecordField extends FieldProps<RecordValues> {
  isNullable: boolean
  maxLength?: number
  values: RecordValues
  /** The record's merchant; undefined under all merchants before one is chosen. */
  merchantId: string | undefined
}
export type DrawField = (field: RecordField) => ReactNode

/** A line of text. */
export const text: DrawField = ({ values: _, merchantId: __, ...field }) => <TextField {...field} />
/** A text of several lines. */
export const longText: DrawField = ({ values: _, merchantId: __, ...field }) => <TextField {...field} rows={2} />
export const email: DrawField = ({ values: _, merchantId: __, ...field }) => <TextField {...field} inputMode="email" />
export const yesOrNo: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <SwitchField {...field} />
)

/**
 * The cards of a form by the key of their title (`card.who`), each with its fields in order. One entry may draw
 * several fields.
 */
export type Cards = Readonly<Record<string, Readonly<Record<string, DrawField>>>>

interface Props {
  form: SchemaForm<RecordValues>
  schema: z.ZodObject
  cards: Cards
  /** The language file of its words: `field.code`, `card.who`. */
  words: string
  merchantId: string | undefined
}

/** The fields of a record. */
export function RecordFields({ form, schema, cards, words, merchantId }: Props) {
  const { t } = useTranslation(words)
  const values = form.getValues()
  return Object.entries(cards).map(([card, fields]) => (
    <Card key={card} title={t(`card.${card}`)}>
      <Columns
        of="repeat(auto-fit, minmax(280px, 1fr))"
        from="xs"
        gap="far"
        rowGap="part"
        align="start"
        className={classes.fields}
      >
        {Object.entries(fields).map(([name, Draw]) => {
          const { isNullable, isRequired, maxLength } = fieldRule(schema, name)
          const fieldProps = { form, name, label: t(`field.${name}`), isNullable, isRequired, values, merchantId }
          return <Draw key={name} {...fieldProps} {...(maxLength !== undefined && { maxLength })} />
        })}
      </Columns>
    </Card>
  ))
}

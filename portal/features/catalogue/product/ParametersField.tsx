import { ActionIcon, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductParameter } from '#contract/catalogue/product.ts'
import { mostParameters } from '#contract/catalogue/product-fields.ts'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'

/** Any number of names with values. */
export const ParametersField: DrawField = ({ form, name, values }) => {
  const { t } = useTranslation('product')
  const id = useId()
  const rows = values[name] as readonly ProductParameter[]
  const set = (next: readonly ProductParameter[]) => form.setFieldValue(name, next)
  const change = (at: number, part: Partial<ProductParameter>) =>
    set(rows.map((row, place) => (place === at ? { ...row, ...part } : row)))
  const add = () => {
    set([...rows, { name: '', value: '' }])
    requestAnimationFrame(() => document.getElementById(`${id}-${rows.length}`)?.focus())
  }
  const remove = (at: number) => {
    set(rows.filter((_, place) => place !== at))
    // After a removal the rows below move up, but errors keep their position.
    form.setErrors(Object.fromEntries(Object.entries(form.errors).filter(([path]) => !path.startsWith(name))))
  }
  return (
    <Stack component="fieldset" gap="near" className="whole" aria-label={t('card.parameters')}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and are controlled
        <Columns key={at} of="minmax(0, 1fr) minmax(0, 1fr) 36px" gap="near" align="start">
          <TextInput
            id={`${id}-${at}`}
            aria-label={t('parameter.name', { number: at + 1 })}
            placeholder={t('parameter.namePlaceholder')}
            autoComplete="off"
            maxLength={40}
            value={row.name}
            error={form.errors[`${name}.${at}.name`]}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
            onBlur={() => form.validateField(name)}
          />
          <TextInput
            aria-label={t('parameter.value', { number: at + 1 })}
            placeholder={t('parameter.valuePlaceholder')}
            autoComplete="off"
            maxLength={120}
            value={row.value}
            error={form.errors[`${name}.${at}.value`]}
            onChange={(event) => change(at, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label={t('parameter.remove', { number: at + 1 })}
            onClick={() => remove(at)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Columns>
      ))}
      {form.errors[name] && (
        <Text mt="near" c="crit" fz="sm" role="alert">
          {form.errors[name]}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={rows.length >= mostParameters}
          onClick={add}
        >
          {t('parameter.add')}
        </Button>
      </div>
      <Text mt="near" c="dimmed" fz="fine" lh="fine">
        {t('parameter.note')}
      </Text>
    </Stack>
  )
}

import { Chip, Flex, Input, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#contract/configurations/vp-document.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { VpNode } from '#domain/configurations/vp-schema.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberInput } from '#portal/ui/form/fields/NumberField.tsx'
import { useVpWords } from './useVpWords.ts'
import classes from './Vp.module.css'

export interface VpFieldProps {
  path: string
  name: string
  node: VpNode
  value: Json | undefined
  set: (value: Json) => void
  /** The sentence of the rule that the value breaks. */
  error?: string | undefined
  /** Whether it differs from the saved value. */
  isChanged: boolean
  isFixed: boolean
  unit?: string | undefined
}

/** The input of one parameter, by its schema: a number with its bounds, an amount, a choice, a switch, a time or a text. */
export function VpField({ path, name, node, value, set, error, isChanged, isFixed, unit }: VpFieldProps) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const format = useFormat()
  const { currency } = useMerchant()
  const label: ReactNode = (
    <>
      {words.label(name)}
      {isChanged && (
        <Text
          span
          display="inline-block"
          w={7}
          h={7}
          ms="snug"
          bdrs="50%"
          bg="var(--gold-fill)"
          role="img"
          aria-label={t('editor.changed')}
        />
      )}
    </>
  )
  const shared = { label, error, disabled: isFixed, 'data-path': path, inputWrapperOrder }
  if (node.type === 'boolean')
    return (
      <Switch
        className={classes.switch}
        label={label}
        error={error}
        disabled={isFixed}
        data-path={path}
        checked={value === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    )
  if (node.type === 'array')
    return (
      <Chips
        name={name}
        node={node}
        value={value}
        set={set}
        error={error}
        path={path}
        isFixed={isFixed}
        label={label}
      />
    )
  if (node.enum) {
    const choices = node.enum.map((option) => ({ value: String(option), label: words.choice(name, option) }))
    const isKnown = node.enum.includes(value as string | number)
    return (
      <NativeSelect
        {...shared}
        data={isKnown ? choices : [{ value: '', label: words.write(name, undefined, value) }, ...choices]}
        value={isKnown ? String(value) : ''}
        onChange={({ currentTarget }) =>
          set(node.enum?.find((option) => String(option) === currentTarget.value) ?? currentTarget.value)
        }
      />
    )
  }
  if (node.type === 'string')
    return (
      <TextInput
        {...shared}
        type={node['x-kind'] === 'time' ? 'time' : 'text'}
        maxLength={node.maxLength}
        value={typeof value === 'string' ? value : String(value ?? '')}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    )
  const number = typeof value === 'number' || typeof value === 'string' ? value : null
  if (node['x-kind'] === 'money')
    return <MoneyInput {...shared} value={number} set={set} currency={currency as Currency} />
  const bound = (one: number | undefined) => format.number(one ?? 0, { maximumFractionDigits: 1 })
  const step = node.multipleOf ?? 1
  return (
    <NumberInput
      {...shared}
      value={number}
      set={set}
      digits={step < 1 ? 1 : 0}
      step={step}
      min={node.minimum}
      max={node.maximum}
      unit={unit}
      description={`${bound(node.minimum)}–${bound(node.maximum)}${unit ? ` ${unit}` : ''}`}
    />
  )
}

type ChipsProps = Pick<VpFieldProps, 'path' | 'name' | 'node' | 'value' | 'set' | 'error' | 'isFixed'> & {
  label: ReactNode
}

/** Several of the possible values. */
function Chips({ path, name, node, value, set, error, isFixed, label }: ChipsProps) {
  const words = useVpWords()
  const options = node.items?.enum ?? []
  const selectedValues = Array.isArray(value) ? value : []
  return (
    <Input.Wrapper component="fieldset" className={classes.chips} label={label} error={error} labelElement="div">
      <Chip.Group
        multiple
        value={selectedValues.map(String)}
        onChange={(next) => set(options.filter((option) => next.includes(String(option))))}
      >
        <Flex gap="snug" wrap="wrap" pt="tight">
          {options.map((option) => (
            <Chip key={option} value={String(option)} size="xs" disabled={isFixed} data-path={path}>
              {words.choice(name, option)}
            </Chip>
          ))}
        </Flex>
      </Chip.Group>
    </Input.Wrapper>
  )
}

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

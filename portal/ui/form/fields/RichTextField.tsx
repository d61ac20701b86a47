import { Box, Input } from '@mantine/core'
import { useId } from 'react'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { type FieldProps, useField } from './useField.tsx'

const RichTextArea = lazyPart(() => import('./RichTextArea.tsx'))

/** Formatted text: HTML of the contract's allow-list in the form. Its editor loads when it is shown. */
export function RichTextField<T extends Record<string, unknown>>(
  props: FieldProps<T> & {
    /** A heading above the field says its label already. */
    isLabelled?: boolean
  },
) {
  const { value, set, leave, input, isFixed } = useField<string, T>(props)
  const id = useId()
  return (
    <div>
      {!props.isLabelled && (
        <Input.Label
          id={`${id}-label`}
          required={input.withAsterisk}
          labelElement="div"
          onClick={() => document.getElementById(id)?.focus()}
        >
          {input.label}
        </Input.Label>
      )}
      <Part fallback={<Box h={148} bd="1px solid var(--line-strong)" bdrs="md" aria-busy="true" />}>
        <RichTextArea
          label={input.label}
          value={value}
          set={set}
          leave={leave}
          isFixed={isFixed}
          isRequired={Boolean(input.required)}
          hasError={Boolean(input.error)}
          describedBy={input.error ? `${id}-error` : undefined}
          id={id}
        />
      </Part>
      {input.description && <Input.Description mt={4}>{input.description}</Input.Description>}
      {input.error && (
        <Input.Error id={`${id}-error`} mt={4}>
          {input.error}
        </Input.Error>
      )}
    </div>
  )
}

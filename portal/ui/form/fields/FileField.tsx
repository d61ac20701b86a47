import { Button, Flex, Input, Text } from '@mantine/core'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileFacts, FileRule } from '#contract/frame/file-rules.ts'
import { enoughBytes, factsOf } from '#domain/frame/file-kind.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { writeBytes } from '../useRuleSentence.ts'
import classes from './Fields.module.css'
import { type FieldProps, useField } from './useField.tsx'

/** A chosen file, with the facts read from its beginning. */
export interface ChosenFile extends FileFacts {
  name: string
  file: File
}

/** Reads a file's beginning without decoding it. */
export async function chosenFile(file: File): Promise<ChosenFile> {
  const beginning = new Uint8Array(await file.slice(0, enoughBytes).arrayBuffer())
  return { name: file.name, file, ...factsOf(beginning, file.size) }
}

/** For the browser's own dialog, which only suggests types. */
export const acceptedBy = ({ kinds }: FileRule) =>
  kinds.flatMap((kind) => (kind === 'jpg' ? ['.jpg', '.jpeg', 'image/jpeg'] : [`.${kind}`])).join(',')

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  rule: FileRule
  /** The preview of the chosen file. */
  preview?: (chosen: ChosenFile) => ReactNode
}

/**
 * A file, chosen or dropped. Its type is recognised by its content, never by its name; the schema is
 * `fileUnder(rule)`.
 */
export function FileField<T extends Record<string, unknown>>(props: Props<T>) {
  const { rule, preview } = props
  const { t } = useTranslation('form')
  const format = useFormat()
  const { value, set, leave, input, isFixed } = useField<ChosenFile | null, T>(props)
  const [isOver, setOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const isUnchecked = useRef(false)
  const id = useId()
  const take = async (file: File | undefined) => {
    if (!file || isFixed) return
    set(await chosenFile(file))
    isUnchecked.current = true
  }
  // Validated on change: a file field has no blur like a text field.
  useEffect(() => {
    if (!isUnchecked.current) return
    isUnchecked.current = false
    leave()
  })
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const kinds = rule.kinds.map((kind) => kind.toUpperCase()).join(', ')
  const allowed = [
    t('field.file.allowed', { kinds, maxBytes: writeBytes(rule.maxBytes, format.number) }),
    rule.maxWidth &&
      t('field.file.pixels', { maxWidth: format.number(rule.maxWidth), maxHeight: format.number(rule.maxHeight ?? 0) }),
  ]
  const describedBy = `${id}-rule${input.error ? ` ${id}-error` : ''}`
  return (
    <div>
      <Input.Label htmlFor={id} required={input.withAsterisk}>
        {input.label}
      </Input.Label>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is a shortcut of the button inside */}
      <Flex
        rowGap="near"
        columnGap="sm"
        wrap="wrap"
        align="center"
        p="sm"
        className={classes.drop}
        data-over={isOver}
        data-error={Boolean(input.error)}
        data-fixed={isFixed}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!isFixed)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        {value && preview?.(value)}
        {value && !preview?.(value) && <IconFile size={18} aria-hidden />}
        {value && (
          <Text span miw={0} fw={550} className="breaks">
            {value.name}{' '}
            <Text span textWrap="nowrap" c="dimmed" fz="sm">
              {writeBytes(value.bytes, format.number)}
            </Text>
          </Text>
        )}
        <Button
          id={id}
          variant="default"
          disabled={isFixed}
          loading={Boolean(input['aria-busy'])}
          leftSection={<IconUpload size={15} aria-hidden />}
          aria-describedby={describedBy}
          aria-invalid={Boolean(input.error) || undefined}
          onClick={() => picker.current?.click()}
        >
          {t('field.file.choose')}
        </Button>
        {value && !isFixed ? (
          <Button
            variant="subtle"
            leftSection={<IconX size={15} aria-hidden />}
            onClick={() => {
              set(null)
              isUnchecked.current = true
            }}
          >
            {t('field.file.remove', { name: value.name })}
          </Button>
        ) : (
          !isFixed && (
            <Text span textWrap="nowrap" c="dimmed" fz="sm">
              {t('field.file.drop')}
            </Text>
          )
        )}
        <input
          ref={picker}
          type="file"
          hidden
          accept={acceptedBy(rule)}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            void take(file)
            // The same file may be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </Flex>
      <Input.Description id={`${id}-rule`} mt={4}>
        {input.description ? <>{input.description} </> : null}
        {allowed.filter(Boolean).join(' · ')}
      </Input.Description>
      {input.error && (
        <Input.Error id={`${id}-error`} mt={4}>
          {input.error}
        </Input.Error>
      )}
    </div>
  )
}

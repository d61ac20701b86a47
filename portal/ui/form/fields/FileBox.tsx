import { Button, type ButtonProps, FileButton, Flex, Input, Progress, Text } from '@mantine/core'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { type AriaAttributes, type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileRule } from '#contract/frame/file-rules.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { writeBytes } from '../useRuleSentence.ts'
import classes from './Fields.module.css'

/** For the browser's own dialog, which only suggests types. */
export const acceptedBy = ({ kinds }: FileRule) =>
  kinds.flatMap((kind) => (kind === 'jpg' ? ['.jpg', '.jpeg', 'image/jpeg'] : [`.${kind}`])).join(',')

interface PickProps extends ButtonProps, AriaAttributes {
  /** Suggested types; any without it. */
  accept?: string
  take: (file: File) => void
  /** Marks the input, for several in one page. */
  kind?: string
  id?: string
  children: ReactNode
}

/** A button that opens the browser's dialog for a file. The same file may be chosen again. */
export function FilePick({ accept, take, kind, children, ...button }: PickProps) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      {...(accept !== undefined && { accept })}
      resetRef={reset}
      inputProps={{ 'data-kind': kind } as object}
      onChange={(file) => {
        reset.current?.()
        if (file) take(file)
      }}
    >
      {({ onClick }) => (
        <Button variant="default" leftSection={<IconUpload size={15} aria-hidden />} {...button} onClick={onClick}>
          {children}
        </Button>
      )}
    </FileButton>
  )
}

/** The same for several files at once. */
export function FilesPick({
  accept,
  take,
  children,
  ...button
}: Omit<PickProps, 'take' | 'kind'> & { take: (files: File[]) => void }) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      multiple
      {...(accept !== undefined && { accept })}
      resetRef={reset}
      onChange={(files) => {
        reset.current?.()
        if (files.length > 0) take(files)
      }}
    >
      {({ onClick }) => (
        <Button variant="default" leftSection={<IconUpload size={15} aria-hidden />} {...button} onClick={onClick}>
          {children}
        </Button>
      )}
    </FileButton>
  )
}

/** A place on which files can be dropped. `take` gets the first of them, and all. */
export function useDrop(isFixed: boolean, take: (file: File, all: File[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(!isFixed)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const all = [...event.dataTransfer.files]
      const [file] = all
      if (file && !isFixed) take(file, all)
    },
  }
}

interface BoxProps {
  label: ReactNode
  description?: ReactNode
  isRequired?: boolean | undefined
  rule: FileRule
  file: { name: string; bytes: number } | null
  preview?: ReactNode
  error?: ReactNode
  isFixed: boolean
  isBusy: boolean
  /** The uploaded share, from 0 to 1; without it nothing is under way. */
  share?: number | undefined
  take: (file: File) => void
  clear: () => void
}

/** A file of a form, chosen or dropped, with what its rule allows. */
export function FileBox({ label, description, rule, file, preview, error, isFixed, isBusy, share, ...box }: BoxProps) {
  const { t } = useTranslation('form')
  const format = useFormat()
  const id = useId()
  const drop = useDrop(isFixed, box.take)
  const kinds = rule.kinds.map((kind) => kind.toUpperCase()).join(', ')
  const allowed = [
    t('field.file.allowed', { kinds, maxBytes: writeBytes(rule.maxBytes, format.number) }),
    rule.maxWidth &&
      t('field.file.pixels', { maxWidth: format.number(rule.maxWidth), maxHeight: format.number(rule.maxHeight ?? 0) }),
  ]
  return (
    <div>
      <Input.Label htmlFor={id} required={box.isRequired}>
        {label}
      </Input.Label>
      <Flex
        rowGap="near"
        columnGap="sm"
        wrap="wrap"
        align="center"
        p="sm"
        className={classes.drop}
        data-error={Boolean(error)}
        data-fixed={isFixed}
        {...drop}
      >
        {file && (preview ?? <IconFile size={18} aria-hidden />)}
        {file && (
          <Text span miw={0} fw={550} className="breaks">
            {file.name}{' '}
            <Text span textWrap="nowrap" c="dimmed" fz="sm">
              {writeBytes(file.bytes, format.number)}
            </Text>
          </Text>
        )}
        <FilePick
          id={id}
          accept={acceptedBy(rule)}
          take={box.take}
          disabled={isFixed}
          loading={isBusy}
          aria-describedby={`${id}-rule${error ? ` ${id}-error` : ''}`}
          aria-invalid={Boolean(error) || undefined}
        >
          {t('field.file.choose')}
        </FilePick>
        {file && !isFixed ? (
          <Button variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={box.clear}>
            {t('field.file.remove', { name: file.name })}
          </Button>
        ) : (
          !isFixed && (
            <Text span textWrap="nowrap" c="dimmed" fz="sm">
              {t('field.file.drop')}
            </Text>
          )
        )}
      </Flex>
      {share !== undefined && <Progress value={share * 100} mt={6} aria-label={String(label)} />}
      <Input.Description id={`${id}-rule`} mt={4}>
        {description ? <>{description} </> : null}
        {allowed.filter(Boolean).join(' · ')}
      </Input.Description>
      {error && (
        <Input.Error id={`${id}-error`} mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

import { Button, Group, Input, Progress, Text } from '@mantine/core'
import { IconUpload, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FileFacts, type FileRule, fileFault } from '#contract/frame/file-rules.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { acceptedBy, chosenFile } from '#portal/ui/form/fields/FileField.tsx'
import { useRuleSentence, writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { sentenceOf } from '#portal/ui/page/ErrorState.tsx'
import classes from './KeyPortal.module.css'

interface Props<F extends { id: string; name: string; bytes: number }> {
  label: string
  description?: string
  ruleOf: (facts: FileFacts) => FileRule
  file: F | null
  preview?: ReactNode
  error?: ReactNode
  isFixed?: boolean
  send: (file: File, onProgress: (share: number) => void, signal: AbortSignal) => Promise<F>
  set: (file: F | null) => void
}

/** A file that is uploaded when it is chosen, and saved with the form. It is checked by its content first. */
export function UploadField<F extends { id: string; name: string; bytes: number }>(props: Props<F>) {
  const { label, description, ruleOf, file, preview, error, isFixed, send, set } = props
  const { t } = useTranslation(['form', 'errors'])
  const format = useFormat()
  const say = useRuleSentence()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const take = async (chosen: File | undefined) => {
    if (!chosen || isFixed) return
    const facts = await chosenFile(chosen)
    const found = fileFault(ruleOf(facts), facts)
    setFault(found && say(found))
    if (found) return
    running.current = new AbortController()
    setShare(0)
    try {
      set(await send(chosen, setShare, running.current.signal))
    } catch (failure) {
      if (!(failure instanceof DOMException)) setFault(sentenceOf((key, values) => t(key, values), failure))
    } finally {
      setShare(undefined)
    }
  }
  const rule = ruleOf({ kind: 'unknown', bytes: 0 })
  const kinds = rule.kinds.map((kind) => kind.toUpperCase()).join(', ')
  const allowed = [
    description,
    t('form:field.file.allowed', { kinds, maxBytes: writeBytes(rule.maxBytes, format.number) }),
    rule.maxWidth &&
      t('form:field.file.pixels', {
        maxWidth: format.number(rule.maxWidth),
        maxHeight: format.number(rule.maxHeight ?? 0),
      }),
  ]
  const said = fault ?? error
  return (
    <div>
      <Input.Label htmlFor={id}>{label}</Input.Label>
      <Group gap="xs" p="sm" className={classes.upload} data-error={Boolean(said)}>
        {file && preview}
        {file && (
          <Text span className="breaks">
            {file.name}{' '}
            <Text span c="dimmed" fz="sm">
              {writeBytes(file.bytes, format.number)}
            </Text>
          </Text>
        )}
        <Button
          id={id}
          variant="default"
          disabled={Boolean(isFixed)}
          loading={share !== undefined}
          leftSection={<IconUpload size={15} aria-hidden />}
          aria-describedby={`${id}-rule`}
          aria-invalid={said ? true : undefined}
          onClick={() => picker.current?.click()}
        >
          {t('form:field.file.choose')}
        </Button>
        {file && !isFixed && (
          <Button variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={() => set(null)}>
            {t('form:field.file.remove', { name: file.name })}
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          accept={acceptedBy(rule)}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            void take(chosen)
            // The same file may be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </Group>
      {share !== undefined && <Progress value={share * 100} mt={6} aria-label={label} />}
      <Input.Description id={`${id}-rule`} mt={4}>
        {allowed.filter(Boolean).join(' · ')}
      </Input.Description>
      {said && (
        <Input.Error mt={4} role="alert">
          {said}
        </Input.Error>
      )}
    </div>
  )
}
